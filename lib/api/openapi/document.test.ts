import { globSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { methods } from "#lib/api/route-declaration";
import { errorCodes } from "#lib/contract/error-codes";
import { operationsOf, readOpenApi } from "#testing/openapi-operations";
import { documentedRoutes } from "../../../app/api/v1/documented-routes.ts";

const document = await readOpenApi();
const operations = operationsOf(document);

test("the document contains every method of every route", async () => {
  const served: string[] = [];
  for (const [route, load] of Object.entries(documentedRoutes)) {
    const module = await load();
    served.push(...methods.filter((method) => module[method]).map((method) => `${method} ${route}`));
  }
  expect(served.length).toBeGreaterThan(40);
  const described = operations.map((operation) => `${operation.method} ${operation.path}`);
  expect(described).toEqual(expect.arrayContaining(served));
});

test("the document contains every path under /api, except catch-all routes", () => {
  const api = path.resolve(import.meta.dirname, "../../../app/api");
  const addresses = globSync("**/route.ts", { cwd: api })
    .map((file) => `/api/${path.dirname(file).replaceAll(/\[(\w+)\]/g, "{$1}")}`)
    .filter((address) => !address.includes("[..."));
  expect(Object.keys(document.paths).sort()).toEqual(addresses.sort());
});

test("every operation has a unique name, a summary, a description, a tag and its permitted callers", () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const incomplete = operations.filter(
    ({ summary, description, tags, security }) => !summary || !description || !tags?.length || !security,
  );
  expect(incomplete.map(({ operationId }) => operationId)).toEqual([]);
});

test("describes every parameter in braces and no others", () => {
  for (const operation of operations) {
    const described = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
    const inBraces = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(described.map(({ name }) => name).sort(), operation.path).toEqual(inBraces.sort());
  }
});

test("every error code occurs at an operation, with its status and meaning", () => {
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

test("describes every field of every body", () => {
  expect(undescribed(document.paths, "paths")).toEqual([]);
  expect(undescribed(document.components.schemas, "schemas")).toEqual([]);
});

test("permits additional fields in responses, because changes within /api/v1 are additive only", () => {
  for (const { operationId, responses } of operations) {
    expect(JSON.stringify(responses), operationId).not.toContain('"additionalProperties":false');
  }
});

type Schema = { description?: string; $ref?: string; items?: Schema; anyOf?: Schema[] };

/** The target of a reference has the description. */
function isDescribed({ description, $ref, items, anyOf = [] }: Schema): boolean {
  return (
    [description, $ref].some(Boolean) ||
    (items !== undefined && isDescribed(items)) ||
    anyOf.some(isDescribed)
  );
}

/** Returns the paths of properties without a description. */
function undescribed(value: unknown, place: string): string[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === "examples" || name === "example") return [];
    const properties = name === "properties" ? (inner as Record<string, object>) : {};
    const silent = Object.entries(properties).filter(([, property]) => !isDescribed(property));
    return [
      ...silent.map(([field]) => `${place}.${field}`),
      ...undescribed(inner, name === "properties" ? place : `${place}.${name}`),
    ];
  });
}
