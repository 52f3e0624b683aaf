import { beforeAll, expect, test } from "vitest";
import { errorCodes } from "#lib/contract/error-codes";
import { type Method, methods, type RouteHandler } from "#lib/http/route-declaration";
import { routes } from "../../app/api/v1/routes.ts";
import { type OpenApiDocument, openApiDocument } from "./document.ts";

type Operation = { operationId: string; parameters?: { name: string; in: string }[]; responses: object };
type Entry = { path: string; method: Method; handler: RouteHandler; operation: Operation };

let document: OpenApiDocument;
const entries: Entry[] = [];

beforeAll(async () => {
  document = await openApiDocument(routes);
  for (const [path, load] of Object.entries(routes)) {
    const module = await load();
    for (const method of methods) {
      const handler = module[method];
      const operation = document.paths?.[path]?.[method.toLowerCase() as "get"] as Operation | undefined;
      if (handler) entries.push({ path, method, handler, operation: operation! });
    }
  }
});

test("every method of every route is in the document, under a name of its own", () => {
  expect(entries.length).toBeGreaterThan(20);
  expect(entries.filter(({ operation }) => operation === undefined)).toEqual([]);
  const ids = entries.map(({ operation }) => operation.operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("every parameter in braces is described, and no other", () => {
  for (const { path, operation } of entries) {
    const described = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
    const inBraces = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(described.map(({ name }) => name).sort(), path).toEqual(inBraces.sort());
  }
});

test("every code of the table stands at an operation, but for those of addresses that are none", () => {
  const text = JSON.stringify(document);
  const missing = Object.keys(errorCodes).filter((code) => !text.includes(`\`${code}\`: `));
  expect(missing).toEqual(["method_not_allowed"]);
});

test("every reference leads somewhere", () => {
  const text = JSON.stringify(document);
  const names = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]!);
  expect(names.length).toBeGreaterThan(10);
  const known = document.components?.schemas ?? {};
  expect([...new Set(names)].filter((name) => !(name in known))).toEqual([]);
});
