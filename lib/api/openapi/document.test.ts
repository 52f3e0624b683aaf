import { globSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { methods } from "#lib/api/route-declaration";
import { errorCodes } from "#lib/contract/error-codes";
import { type NamedOperation, type OpenApi, operationsOf, readOpenApi } from "#testing/openapi-operations";
import { documentedRoutes } from "../../../app/api/documented-routes.ts";

let document: OpenApi;
let operations: NamedOperation[];
beforeAll(async () => {
  document = await readOpenApi();
  operations = operationsOf(document);
});

test("every method of every route is in the document", async () => {
  const served: string[] = [];
  for (const [route, load] of Object.entries(documentedRoutes)) {
    const module = await load();
    served.push(...methods.filter((method) => module[method]).map((method) => `${method} ${route}`));
  }
  expect(served.length).toBeGreaterThan(40);
  const described = operations.map((operation) => `${operation.method} ${operation.path}`);
  expect(described).toEqual(expect.arrayContaining(served));
});

test("so is every address under /api, but for those that nobody else answers", () => {
  const api = path.resolve(import.meta.dirname, "../../../app/api");
  const addresses = globSync("**/route.ts", { cwd: api })
    .map((file) => `/api/${path.dirname(file).replaceAll(/\[(\w+)\]/g, "{$1}")}`)
    .filter((address) => !address.includes("[..."));
  expect(Object.keys(document.paths).sort()).toEqual(addresses.sort());
});

test("every operation has a name of its own, a summary, a description, a tag and says who may call", () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const poor = operations.filter(
    ({ summary, description, tags, security }) => !summary || !description || !tags?.length || !security,
  );
  expect(poor.map(({ operationId }) => operationId)).toEqual([]);
});

test("every parameter in braces is described, and no other", () => {
  for (const operation of operations) {
    const described = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
    const inBraces = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(described.map(({ name }) => name).sort(), operation.path).toEqual(inBraces.sort());
  }
});

test("every code of the table stands at an operation, under its status and with its meaning", () => {
  const found = new Map<string, Set<string>>();
  for (const { responses } of operations) {
    for (const [status, { description, content }] of Object.entries(responses)) {
      if (status < "400" || !content?.["application/json"]?.examples) continue;
      for (const code of Object.keys(content["application/json"].examples)) {
        if (!description.includes(`\`${code}\`: `)) continue;
        found.set(code, (found.get(code) ?? new Set()).add(status));
      }
    }
  }
  const expected = Object.entries(errorCodes).map(([code, [status]]) => [code, [`${status}`]]);
  expect(Object.fromEntries([...found].map(([code, statuses]) => [code, [...statuses]]))).toEqual(
    Object.fromEntries(expected),
  );
});

test("every field of every body is described", () => {
  expect(undescribed(document.paths, "paths")).toEqual([]);
  expect(undescribed(document.components.schemas, "schemas")).toEqual([]);
});

test("nothing forbids an answer further fields: within /api/v1 changes only add", () => {
  for (const { operationId, responses } of operations) {
    expect(JSON.stringify(responses), operationId).not.toContain('"additionalProperties":false');
  }
});

type Schema = { description?: string; $ref?: string; items?: Schema; anyOf?: Schema[] };

/** A reference says it where it leads. */
function speaks({ description, $ref, items, anyOf = [] }: Schema): boolean {
  return [description, $ref].some(Boolean) || (items !== undefined && speaks(items)) || anyOf.some(speaks);
}

/** Places of properties that say nothing of themselves. */
function undescribed(value: unknown, place: string): string[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === "examples" || name === "example") return [];
    const properties = name === "properties" ? (inner as Record<string, object>) : {};
    const silent = Object.entries(properties).filter(([, property]) => !speaks(property));
    return [
      ...silent.map(([field]) => `${place}.${field}`),
      ...undescribed(inner, name === "properties" ? place : `${place}.${name}`),
    ];
  });
}
