import { expect, test } from "vitest";
import { callRoute, createUser } from "#testing/api";
import { type FieldPath, fieldsOfType, withValue } from "#testing/body-fields";
import { createPopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type RouteCase, routeCases } from "#testing/route-cases";
import { validCalls } from "#testing/valid-calls";

await createTestDatabase();

const admin = await createUser();
const own = await createPopulatedProject();

/** Fields that people read in lists: of projects, members, keys, checkpoints, scenarios and imported models. */
const names = ["name", "title", "label", "checkpointLabel", "modelName"];
const rows = (await routeCases()).flatMap((item) => {
  const { body } = item.handler.declaration;
  const paths = body ? fieldsOfType(body, "string") : [];
  return paths
    .filter((path) => path.length === 1 && names.includes(String(path[0])))
    .map((path): [string, RouteCase, FieldPath] => [`${item.name} ${path.join(".")}`, item, path]);
});

test("the table has every field that names something", () => {
  expect(rows.map(([name]) => name).sort()).toMatchInlineSnapshot(`
    [
      "PATCH /api/v1/members/{userId} name",
      "PATCH /api/v1/projects/{projectId} name",
      "PATCH /api/v1/projects/{projectId}/comparisons/{comparisonId} name",
      "PATCH /api/v1/projects/{projectId}/scenarios/{scenarioId} title",
      "POST /api/v1/members name",
      "POST /api/v1/projects name",
      "POST /api/v1/projects/{projectId}/api-keys name",
      "POST /api/v1/projects/{projectId}/checkpoints label",
      "POST /api/v1/projects/{projectId}/checkpoints/import label",
      "POST /api/v1/projects/{projectId}/comparisons name",
      "POST /api/v1/projects/{projectId}/models/import modelName",
      "POST /api/v1/projects/{projectId}/scenarios checkpointLabel",
      "POST /api/v1/projects/{projectId}/scenarios title",
      "POST /api/v1/projects/{projectId}/scenarios/validate checkpointLabel",
      "POST /api/v1/projects/{projectId}/scenarios/validate title",
      "POST /api/v1/setup name",
      "PUT /api/v1/projects/{projectId}/checkpoints/{checkpointId} label",
    ]
  `);
});

const invalid = [
  "\u200B",
  "\u200B\u200B",
  "abc\u202Edef",
  "a\u001B[31mb",
  "ab\bc",
  "ab\ncd",
  "ab\r\ncd",
  "ab\u2028cd",
];

test.each(rows)("rejects text that is invisible, reversed or on several lines: %s", async (_, item, path) => {
  const { body, ...parts } = await validCalls[item.name]!(own);
  // Beside a checkpoint, the label of a new one is ignored.
  const { checkpointId: _unused, ...rest } = body as Record<string, unknown>;
  for (const text of invalid) {
    const changed = withValue(path[0] === "checkpointLabel" ? rest : body, path, text);
    const answer = await callRoute(item.handler, { ...item.call({ ...parts, body: changed }), as: admin });
    expect([answer.status, answer.error?.code], JSON.stringify(text)).toEqual([400, "validation_failed"]);
    expect(answer.error?.details?.map(({ field }) => field)).toContain(path.join("."));
  }
});
