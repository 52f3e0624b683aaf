import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type Caller, createKey, createProject } from "#testing/api";
import { createErrorWorld, ofProject, unknownId } from "#testing/error-cases/error-case";
import { expectError } from "#testing/error-cases/expect-error";
import { rejectedPlaces } from "#testing/error-cases/places";
import { createModel } from "#testing/model-factory";
import { inputCsv } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import type { CallParts } from "#testing/route-cases";
import { base64, createTrainedProject } from "#testing/scenario-factory";

// `details` lists every issue found: at most 100, then a count.

const { sql } = await createTestDatabase();
const world = await createErrorWorld(sql);
const { checkpointId, pinnedCheckpoints } = world.own;
const scenario = { title: "New", checkpointId, dependentProjectCheckpoints: pinnedCheckpoints };

const scenarios = `POST ${ofProject}/scenarios`;
const places = (name: string, parts: CallParts, as?: Caller) => rejectedPlaces(world, name, parts, as);
const countOf = (issues: number) => ({ code: "more", message: `${issues} more issues are not listed` });

test("of a prediction input: a hundred, then a count", async () => {
  const input = { temp: Array(150).fill("warm"), wind: Array(150).fill(1) };
  const { error } = await world.call(`POST ${ofProject}/predict`, { body: { input } });
  expect(error?.message).toBe('The input has 150 issues: Row 1, column "temp": "warm" is not a number.');
  expect(error?.details?.slice(0, 100).map(({ row }) => row)).toEqual(
    Array.from({ length: 100 }, (_, at) => at + 1),
  );
  expect(error?.details?.slice(100)).toEqual([countOf(50)]);
});

test("of a CSV: a hundred, then a count", async () => {
  const fileData = base64(`temp,wind\n${"warm,1\n".repeat(150)}`);
  const { error } = await world.call(scenarios, { body: { ...scenario, fileData } });
  expect(error?.message).toMatch(/^The CSV has 150 issues: Row 1, /);
  expect(error?.details?.slice(100)).toEqual([countOf(50)]);
});

test("of upstream projects: an unknown one and a missing one", async () => {
  const { projectId } = world.upstream;
  const field = "dependentProjectCheckpoints";
  const body = { ...scenario, fileData: base64(inputCsv), [field]: { [unknownId]: null } };
  expect(await places(scenarios, { body })).toEqual({
    code: "dependency_unknown",
    places: [
      { field: `${field}.${unknownId}`, id: unknownId, code: "dependency_unknown" },
      { field: `${field}.${projectId}`, id: projectId, code: "dependency_checkpoint_required" },
    ],
  });
});

test("of projects that need new checkpoints for a request", async () => {
  const [upstream, main] = [
    await createProject({ name: "Full upstream" }),
    await createProject({ name: "Full" }),
  ];
  for (const { id } of [upstream, main]) {
    await createModel({ projectId: id });
    const as = await createKey({ projectId: id });
    const create = { params: { projectId: id }, body: {} };
    for (let count = 0; count < 20; count++) await world.call(`POST ${ofProject}/checkpoints`, create, as);
  }
  const params = { projectId: main.id };
  const dependencies = [{ projectId: upstream.id, featureName: "up" }];
  await world.call(`PUT ${ofProject}/dependencies`, { params, body: { dependencies } }, world.admin);
  const field = "dependentProjectCheckpoints";
  const body = { title: "x", fileData: base64(inputCsv), [field]: { [upstream.id]: null } };
  const answer = await world.call(scenarios, { params, body }, await createKey(params));
  const message =
    'The projects "Full" and "Full upstream" already have 20 checkpoints, the maximum. Delete a checkpoint that is no longer used.';
  expectError(answer, "checkpoint_limit_reached", message, [
    {
      id: main.id,
      code: "checkpoint_limit_reached",
      message: 'The project "Full" already has 20 checkpoints.',
    },
    {
      field: `${field}.${upstream.id}`,
      id: upstream.id,
      code: "checkpoint_limit_reached",
      message: 'The project "Full upstream" already has 20 checkpoints.',
    },
  ]);
});

test("of features that upstream projects would have to predict", async () => {
  const dependencies = await Promise.all(
    ["up", "down"].map(async (featureName) => ({ projectId: (await createProject()).id, featureName })),
  );
  const rows = Array.from({ length: 60 }, (_, row) => `${row % 7},${row % 5},${row % 3},${row % 11}`);
  const { projectId, as } = await createTrainedProject({
    csv: `up,down,own,demand\n${rows.join("\n")}\n`,
    target: "demand",
    dependencies,
  });
  for (const one of dependencies) await createModel({ projectId: one.projectId });
  const pinnedCheckpoints = Object.fromEntries(dependencies.map((one) => [one.projectId, null]));
  const body = { title: "x", fileData: base64("own\n1\n"), dependentProjectCheckpoints: pinnedCheckpoints };
  expect(await places(scenarios, { params: { projectId }, body }, as)).toEqual({
    code: "input_invalid",
    places: ["up", "down"].map((column) => ({ column, code: "missing_column" })),
  });
});

test("of the bounds of a chart, and of the scenarios to compare", async () => {
  const { scenarioId, otherScenarioId } = world.own;
  const chart = `GET ${ofProject}/scenarios/{scenarioId}/predictions`;
  const params = { scenarioId };
  expect(await places(chart, { params, query: { from: "2024-01-01", to: "2024-01-02" } })).toEqual({
    code: "validation_failed",
    places: ["from", "to"].map((field) => ({ field, code: "not_a_row" })),
  });
  expect(await places(chart, { params, query: { from: "3", to: "2" } })).toEqual({
    code: "validation_failed",
    places: [{ field: "from", code: "after_to" }],
  });
  const query = { ids: `${scenarioId},${scenarioId},${otherScenarioId}`, baselineId: unknownId };
  expect(await places(`GET ${ofProject}/scenarios/compare`, { query })).toEqual({
    code: "validation_failed",
    places: [
      { field: "ids", id: scenarioId, code: "repeated" },
      { field: "baselineId", id: unknownId, code: "not_in_ids" },
    ],
  });
});

test("of rows to explain", async () => {
  const parts = { params: { scenarioId: world.own.scenarioId }, query: { rows: "0,1,4,99" } };
  const name = `GET ${ofProject}/scenarios/{scenarioId}/predictions/contributions`;
  expect(await places(name, parts)).toEqual({
    code: "validation_failed",
    places: [0, 4, 99].map((row) => ({ field: "rows", row, code: "no_such_row" })),
  });
});

test("of adjustments", async () => {
  const adjustments = [
    { feature: "tmep", operation: "add", value: 1 },
    { feature: "temp", operation: "add", value: 1 },
    { feature: "wind", operation: "set", value: "strong", from: "2024-01-01" },
  ];
  const body = { ...scenario, baseScenarioId: world.own.scenarioId, adjustments };
  expect(await places(scenarios, { body })).toEqual({
    code: "validation_failed",
    places: [
      { field: "adjustments.0", code: "unknown_feature" },
      { field: "adjustments.2", code: "wrong_type" },
      { field: "adjustments.2", code: "no_timestamp" },
    ],
  });
});

test("of dependencies: unknown and duplicate ones", async () => {
  const { projectId } = world.upstream;
  const put = (dependencies: object[]) =>
    places(`PUT ${ofProject}/dependencies`, { body: { dependencies } }, world.admin);
  const other = randomUUID();
  expect(
    await put([
      { projectId: unknownId, featureName: "a" },
      { projectId: other, featureName: "b" },
    ]),
  ).toEqual({
    code: "project_not_found",
    places: [unknownId, other].map((id, at) => ({
      field: `dependencies.${at}.projectId`,
      id,
      code: "project_not_found",
    })),
  });
  expect(
    await put([
      { projectId, featureName: "a" },
      { projectId, featureName: "a" },
    ]),
  ).toEqual({
    code: "validation_failed",
    places: ["projectId", "featureName"].map((name) => ({
      field: `dependencies.1.${name}`,
      code: "repeated",
    })),
  });
});

test("of the obstacles to deleting a project", async () => {
  const { projectId } = world.upstream;
  expect(await places(`DELETE ${ofProject}`, { params: { projectId } }, world.admin)).toEqual({
    code: "validation_failed",
    places: [{ id: world.own.projectId, code: "project_in_use" }],
  });
});
