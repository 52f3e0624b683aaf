import { beforeAll, describe, expect, test } from "vitest";
import { methods } from "#lib/api/route-declaration";
import {
  type Content,
  type NamedOperation,
  type OpenApi,
  operationsOf,
  readOpenApi,
} from "#testing/openapi-operations";
import { OpenApiSchemas } from "#testing/openapi-schemas";
import { documentedRoutes } from "../../../app/api/documented-routes.ts";

let document: OpenApi;
let operations: NamedOperation[];
let schemas: OpenApiSchemas;
beforeAll(async () => {
  document = await readOpenApi();
  operations = operationsOf(document);
  schemas = new OpenApiSchemas(document);
});

/** What no text can show. */
const files = new Set(["application/octet-stream", "application/x-tar"]);

/** A line for every example that breaks its schema, and for every JSON body without one. */
function contentFaults(where: string, content: Content = {}): string[] {
  return Object.entries(content).flatMap(([type, { schema, examples }]) => {
    if (!files.has(type) && Object.keys(examples ?? {}).length === 0) {
      return [`${where} ${type}: no example`];
    }
    return Object.entries(examples ?? {}).flatMap(([name, example]) => {
      const value = "$ref" in example ? exampleAt(String(example.$ref)) : example.value;
      return schemas.faults(schema!, value).map((fault) => `${where} ${type} ${name}: ${fault}`);
    });
  });
}

const exampleAt = (reference: string) =>
  document.components.examples[reference.replace("#/components/examples/", "")]!.value;

describe("examples", () => {
  test("of parameters say what they mean and fit their schemas", () => {
    const faults = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap(({ name, description, example, schema }) => [
        ...(description ? [] : [`${operationId} ${name}: no description`]),
        ...(example === undefined ? [`${operationId} ${name}: no example`] : schemas.faults(schema, example)),
      ]),
    );
    expect(faults).toEqual([]);
  });

  test("of bodies are there for each operation that takes one, and fit their schemas", () => {
    const faults = operations.flatMap(({ operationId, requestBody }) =>
      contentFaults(operationId, requestBody?.content),
    );
    expect(faults).toEqual([]);
  });

  test("of bodies are taken by the routes themselves", async () => {
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

  test("of answers are there for each status with a body, and hold no field that the document does not name", () => {
    const faults = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        contentFaults(`${operationId} ${status}`, content),
      ),
    );
    expect(faults).toEqual([]);
  });

  test("of headers fit their schemas", () => {
    const faults = Object.entries(document.components.headers).flatMap(([name, { schema, example }]) =>
      schemas.faults(schema, example).map((fault) => `${name}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });
});
