import { describe, expect, test } from "vitest";
import { methods } from "#lib/api/route-declaration";
import { PARQUET_TYPE, WORKBOOK_TYPE } from "#lib/contract/reading";
import { type Content, operationsOf, readOpenApi } from "#testing/openapi-operations";
import { OpenApiSchemas } from "#testing/openapi-schemas";
import { documentedRoutes } from "../../../app/api/v1/documented-routes.ts";

const document = await readOpenApi();
const operations = operationsOf(document);
const schemas = new OpenApiSchemas(document);

/** Values that text cannot represent. */
const files = new Set(["application/octet-stream", "application/x-tar", PARQUET_TYPE, WORKBOOK_TYPE]);

/** Returns a line for every example that violates its schema, and for every JSON body without an example. */
function contentIssues(where: string, content: Content = {}): string[] {
  return Object.entries(content).flatMap(([type, { schema, examples }]) => {
    if (!files.has(type) && Object.keys(examples ?? {}).length === 0) {
      return [`${where} ${type}: no example`];
    }
    return Object.entries(examples ?? {}).flatMap(([name, example]) => {
      const value = "$ref" in example ? exampleAt(String(example.$ref)) : example.value;
      return schemas.issues(schema!, value).map((issue) => `${where} ${type} ${name}: ${issue}`);
    });
  });
}

const exampleAt = (reference: string) =>
  document.components.examples[reference.replace("#/components/examples/", "")]!.value;

describe("examples", () => {
  test("parameters have a description and a valid example", () => {
    const issues = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap(({ name, description, example, schema }) => [
        ...(description ? [] : [`${operationId} ${name}: no description`]),
        ...(example === undefined ? [`${operationId} ${name}: no example`] : schemas.issues(schema, example)),
      ]),
    );
    expect(issues).toEqual([]);
  });

  test("every body has valid examples", () => {
    const issues = operations.flatMap(({ operationId, requestBody }) =>
      contentIssues(operationId, requestBody?.content),
    );
    expect(issues).toEqual([]);
  });

  test("routes accept the examples of bodies", async () => {
    const taken = new Map(operations.map(({ operationId, requestBody }) => [operationId, requestBody]));
    for (const load of Object.values(documentedRoutes)) {
      const module = await load();
      for (const method of methods) {
        const { operationId, body, rawBody } = module[method]?.declaration ?? {};
        const schema = body ?? rawBody?.["application/json"]?.schema;
        if (operationId === undefined || schema === undefined) continue;
        const examples = taken.get(operationId)!.content["application/json"]!.examples!;
        for (const [name, { value }] of Object.entries(examples)) {
          const { error } = schema.safeParse(value);
          expect(error?.issues ?? [], `${operationId} ${name}`).toEqual([]);
        }
      }
    }
  });

  test("every response with a body has examples, and they contain only described fields", () => {
    const issues = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        contentIssues(`${operationId} ${status}`, content),
      ),
    );
    expect(issues).toEqual([]);
  });

  test("examples of headers match their schemas", () => {
    const issues = Object.entries(document.components.headers).flatMap(([name, { schema, example }]) =>
      schemas.issues(schema, example).map((issue) => `${name}: ${issue}`),
    );
    expect(issues).toEqual([]);
  });
});
