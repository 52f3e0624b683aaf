import { describe, expect, test } from "vitest";
import { z } from "zod";
import { callRoute, createUser } from "#testing/api";
import { createPopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type RouteCase, routeCases } from "#testing/route-cases";
import { validCalls } from "#testing/valid-calls";

await createTestDatabase();
const takers = (await routeCases()).filter(({ handler }) => handler.declaration.body !== undefined);
const rows = takers.map((item): [string, RouteCase, Node] => [item.name, item, bodyOf(item)]);

const admin = await createUser();
const own = await createPopulatedProject();

type Node = {
  $ref?: string;
  $defs?: Record<string, Node>;
  type?: string | string[];
  properties?: Record<string, Node>;
  required?: string[];
  items?: Node;
  anyOf?: Node[];
};

function bodyOf({ handler }: RouteCase): Node {
  const schema = handler.declaration.body as z.ZodType;
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as Node;
}

const optionalOf = ({ properties = {}, required = [] }: Node) =>
  Object.entries(properties).filter(([name]) => !required.includes(name));

/** A schema without constraints accepts any value. */
const takesNull = ({ type, anyOf }: Node): boolean =>
  anyOf?.some(takesNull) ?? (type === undefined || [type].flat().includes("null"));

/** Returns the optional fields at any depth that do not accept null. */
function rejecting(root: Node, path: string[] = [], node: Node = root): string[] {
  if (node.$ref) return rejecting(root, path, root.$defs![node.$ref.replace("#/$defs/", "")]!);
  return [
    ...optionalOf(node).flatMap(([name, field]) => (takesNull(field) ? [] : [[...path, name].join(".")])),
    ...Object.entries(node.properties ?? {}).flatMap(([name, field]) =>
      rejecting(root, [...path, name], field),
    ),
    ...(node.anyOf ?? []).flatMap((one) => rejecting(root, path, one)),
    ...(node.items ? rejecting(root, [...path, "0"], node.items) : []),
  ];
}

describe("null means the same as an absent field, in every body", () => {
  test.each(rows)("%s: in its schema", (_name, _item, body) => {
    expect(rejecting(body)).toEqual([]);
  });

  test.each(rows)("%s: with null for all optional fields", async (name, item, body) => {
    if (name === "POST /api/v1/setup") return;
    const parts = await validCalls[name]!(own);
    const nothing = Object.fromEntries(optionalOf(body).map(([field]) => [field, null]));
    const sent = { ...nothing, ...(parts.body as object) };
    const answer = await callRoute(item.handler, { ...item.call({ ...parts, body: sent }), as: admin });
    expect(answer.status, answer.text).toBe(item.handler.declaration.status ?? 200);
  });
});

test("a request without a body equals an empty object if every field is optional", async () => {
  const taken = [];
  for (const [name, item] of rows) {
    const { params = {} } = await validCalls[name]!(own);
    const { path } = item.call({ params });
    const answer = await callRoute(item.handler, { method: item.method, params, path: path!, as: admin });
    if (answer.status === (item.handler.declaration.status ?? 200)) taken.push(name);
    else if (name !== "POST /api/v1/setup") {
      expect(answer.error?.code, `${name} ${answer.text}`).toMatch(
        /^(unsupported_media_type|validation_failed)$/,
      );
    }
  }
  const project = "POST /api/v1/projects/{projectId}";
  expect(taken.sort()).toEqual([
    "POST /api/v1/me/sessions/end",
    `${project}/checkpoints`,
    `${project}/comparisons/{comparisonId}/link`,
    `${project}/models/train`,
    `${project}/scenarios/{scenarioId}/runs`,
  ]);
});

test("an update with only null fields is rejected", async () => {
  const changes = rows.filter(([, { method }]) => method === "PATCH" || method === "PUT");
  for (const [name, item, body] of changes) {
    if (body.required !== undefined) continue;
    const parts = await validCalls[name]!(own);
    const sent = Object.fromEntries(Object.keys(body.properties!).map((field) => [field, null]));
    // Null clears these fields.
    delete sent.description;
    delete sent.notes;
    delete sent.decision;
    const answer = await callRoute(item.handler, { ...item.call({ ...parts, body: sent }), as: admin });
    expect([name, answer.status, answer.error?.details?.[0]?.message]).toEqual([
      name,
      400,
      expect.stringMatching(/^Send at least one/),
    ]);
  }
});
