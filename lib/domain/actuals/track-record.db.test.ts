import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { scenarioOverrides, scenarioRuns } from "#db/schema/scenarios";
import type { PredictionRow } from "#lib/contract/scenario-series";
import type { TrackRecord } from "#lib/contract/track-record";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { createOverride } from "#lib/domain/scenarios/overrides/create-override";
import { endOverride } from "#lib/domain/scenarios/overrides/end-override";
import { database } from "#lib/platform/database/process-database";
import { callRoute, createKey, createProject, testContext } from "#testing/api";
import { createPanelProject, panelCsv, panelDay, panelDays } from "#testing/panel-project";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, type TrainedProject, train } from "#testing/scenario-factory";
import { addDays, createDailyProject, demandDays, ofScenario, ridge, runAgain } from "#testing/scenario-runs";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as recordRoute } from "../../../app/api/v1/projects/[projectId]/track-record/route.ts";

await createTestDatabase();

const recordOf = async ({ projectId, as }: TrainedProject, query: Record<string, string> = {}) =>
  (await callRoute<TrackRecord>(recordRoute, { params: { projectId }, as, query })).data;
const rowsOf = async (project: TrainedProject, scenarioId: string) =>
  (await callRoute<PredictionRow[]>(predictionsRoute, ofScenario(project, scenarioId))).data;
const actuals = demandDays(0, 260)
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => Number(line.split(",")[2]));
const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
const override = { operation: "add", value: 30 } as const;

it("scores runs on the rows that they did not know, beside the naive forecast from the rows that they knew", async () => {
  const project = await createDailyProject();
  const { id } = await createScenario(project, { endDate: "2023-08-02" });
  const first = await rowsOf(project, id);
  expect(await recordOf(project)).toMatchObject({
    target: "demand",
    knownUntil: "2023-07-19T00:00:00.000Z",
    errors: null,
    runs: 0,
    reason: expect.stringContaining("2023-07-19"),
  });
  await addDays(project, 200, 205);
  await runAgain(project, id);
  const second = await rowsOf(project, id);
  await addDays(project, 205, 208);

  const record = await recordOf(project);
  const errors = [
    ...first.slice(0, 8).map(({ prediction }, at) => prediction! - actuals[200 + at]!),
    ...second.slice(0, 3).map(({ prediction }, at) => prediction! - actuals[205 + at]!),
  ];
  expect(record).toMatchObject({
    reason: null,
    runs: 2,
    omittedRuns: 0,
    isTotal: false,
    baselineName: expect.stringMatching(/last value|seasonal naive/),
    errors: { rows: 11 },
    overrides: null,
  });
  expect(record.errors!.mae).toBeCloseTo(mean(errors.map(Math.abs)), 9);
  expect(record.errors!.bias).toBeCloseTo(mean(errors), 9);
  expect(record.errors!.coverage).toBeGreaterThan(0);
  expect(record.errors!.baseline.mae).toBeGreaterThan(0);
  expect(record.horizons.map(({ fromStep, toStep, rows }) => [fromStep, toStep, rows])).toEqual([
    [1, 1, 2],
    [2, 2, 2],
    [3, 3, 2],
    ...[4, 5, 6, 7, 8].map((step) => [step, step, 1]),
  ]);
  expect(record.horizons[0]!.mae).toBeCloseTo(mean([errors[0]!, errors[8]!].map(Math.abs)), 9);
  // The later run predicted the last three days again.
  expect(record.predicted).toEqual(
    [...first.slice(0, 5), ...second.slice(0, 3)].map((row) => row.prediction),
  );
  expect(record.timestamps).toHaveLength(8);
});

it("compares an earlier checkpoint with the newest one on the rows that both predicted", async () => {
  const project = await createDailyProject();
  const { projectId } = project;
  const { id, checkpointId } = await createScenario(project, { endDate: "2023-08-02" });
  const first = await rowsOf(project, id);
  await train(projectId, { algorithm: "mean" });
  await runAgain(project, id, { checkpointId: "current" });
  const second = await rowsOf(project, id);
  await addDays(project, 200, 205);
  const maeOf = (rows: readonly PredictionRow[]) =>
    mean(rows.slice(0, 5).map(({ prediction }, at) => Math.abs(prediction! - actuals[200 + at]!)));

  const { checkpoints, newestCheckpoint } = await recordOf(project);
  expect(newestCheckpoint).not.toBeNull();
  expect(checkpoints).toEqual([
    {
      label: expect.any(String),
      rows: 5,
      own: { mae: expect.closeTo(maeOf(first), 9), rmse: expect.any(Number) },
      newest: { mae: expect.closeTo(maeOf(second), 9), rmse: expect.any(Number) },
    },
  ]);
  expect(checkpoints[0]!.label).not.toBe(newestCheckpoint);
  await deleteCheckpoint(testContext(), { projectId, checkpointId: checkpointId! });
  expect((await recordOf(project)).checkpoints).toEqual(checkpoints);
});

it("does not let a later model or a deleted checkpoint change the past", async () => {
  const project = await createDailyProject();
  const { projectId } = project;
  const { id, checkpointId } = await createScenario(project, {});
  await addDays(project, 200, 205);
  await train(projectId, ridge);
  const before = await recordOf(project);
  await runAgain(project, id, { checkpointId: "current" });
  expect(await recordOf(project)).toEqual(before);
  await deleteCheckpoint(testContext(), { projectId, checkpointId: checkpointId! });
  expect((await recordOf(project)).errors).toEqual(before.errors);
  expect(before.errors!.rows).toBe(5);
});

it("leaves out scenarios based on others, deleted ones and runs that do not say what they knew", async () => {
  const project = await createDailyProject();
  const { id, checkpointId } = await createScenario(project, { endDate: "2023-08-02" });
  const adjustments = [{ feature: "price", operation: "add", value: 1 }];
  const based = await createScenario(project, { baseScenarioId: id, checkpointId, adjustments });
  await addDays(project, 200, 203);
  expect(await recordOf(project)).toMatchObject({ runs: 1, errors: { rows: 3 } });
  expect(await recordOf(project, { scenarioId: id })).toMatchObject({ runs: 1 });
  expect(await recordOf(project, { scenarioId: based.id })).toMatchObject({ runs: 0, errors: null });
  const unknown = await callRoute(recordRoute, {
    params: { projectId: project.projectId },
    as: project.as,
    query: { scenarioId: "nonsense" },
  });
  expect([unknown.status, unknown.error?.code]).toEqual([404, "scenario_not_found"]);
  await database().transaction(async (tx) => {
    await tx.execute("set local session_replication_role = replica");
    await tx.update(scenarioRuns).set({ knownUntil: null }).where(eq(scenarioRuns.id, id));
  });
  expect(await recordOf(project)).toMatchObject({ runs: 0, errors: null });
});

it("scores overrides on the values that arrived while they stood, and on no others", async () => {
  const project = await createDailyProject();
  const { projectId } = project;
  const { id: scenarioId } = await createScenario(project, { endDate: "2023-08-02" });
  const rows = await rowsOf(project, scenarioId);
  const add = (from: string, to: string, reason: string) =>
    createOverride(testContext(), { projectId, scenarioId, from, to, reason, ...override });
  await add("2023-07-21", "2023-07-22", "Fair");
  const withdrawn = await add("2023-07-20", "2023-07-25", "Withdrawn in time");
  await endOverride(testContext(), { projectId, scenarioId, overrideId: withdrawn.id });
  const removed = await add("2023-07-23", "2023-08-02", "Removed later");
  await addDays(project, 200, 205);
  await endOverride(testContext(), { projectId, scenarioId, overrideId: removed.id });
  await add("2023-07-20", "2023-07-24", "Too late");
  await addDays(project, 205, 207);

  const { overrides, errors } = await recordOf(project);
  const calculated = rows.slice(1, 5).map(({ prediction }, at) => prediction! - actuals[201 + at]!);
  expect(overrides).toMatchObject({
    rows: 4,
    authors: [{ author: "user-of-tests", rows: 4 }],
    reasons: [
      { reason: expect.any(String), rows: 2 },
      { reason: expect.any(String), rows: 2 },
    ],
  });
  expect(overrides!.reasons.map(({ reason }) => reason).sort()).toEqual(["Fair", "Removed later"]);
  expect(overrides!.calculated.mae).toBeCloseTo(mean(calculated.map(Math.abs)), 9);
  expect(overrides!.effective.mae).toBeCloseTo(mean(calculated.map((error) => Math.abs(error + 30))), 9);
  expect(overrides!.baseline.mae).toBeGreaterThan(0);
  expect(errors!.rows).toBe(7);
  const stored = await database()
    .select()
    .from(scenarioOverrides)
    .where(eq(scenarioOverrides.id, removed.id));
  expect(stored[0]).toMatchObject({
    knownUntil: new Date("2023-07-19"),
    endedKnownUntil: new Date("2023-07-24"),
  });
});

it("applies an override only to the runs that were shown while it stood", async () => {
  const project = await createDailyProject();
  const { projectId } = project;
  const { id: scenarioId } = await createScenario(project, { endDate: "2023-08-02" });
  await addDays(project, 200, 202);
  await runAgain(project, scenarioId);
  const span = { from: "2023-07-22", to: "2023-07-23", reason: "Fair" };
  await createOverride(testContext(), { projectId, scenarioId, ...span, ...override });
  await addDays(project, 202, 204);
  // Both runs predicted these days, but the first one never had the override.
  expect(await recordOf(project)).toMatchObject({ errors: { rows: 6 }, overrides: { rows: 2 } });
});

it("scores totals of many series at the times whose actual values are all known", async () => {
  const project = await createPanelProject();
  const { projectId } = project;
  const { id: scenarioId } = await createScenario(project, { endDate: panelDay(panelDays + 3) });
  const rows = await rowsOf(project, scenarioId);
  const [first] = rows;
  const totalOf = (values: readonly (number | null)[]) => values.reduce<number>((sum, one) => sum + one!, 0);
  const firstTotal = totalOf(
    rows.filter((row) => row.timestamp === first!.timestamp).map((row) => row.prediction),
  );
  await createOverride(testContext(), {
    projectId,
    scenarioId,
    from: panelDay(panelDays),
    to: panelDay(panelDays),
    operation: "add",
    value: 5,
    reason: "Fair",
    where: [{ feature: "store", operator: "=", value: "A" }],
  });
  const [head, ...lines] = panelCsv(panelDays + 2)
    .trim()
    .split("\n");
  const came = lines.filter((line) => line.slice(0, 10) >= panelDay(panelDays));
  // One value of the second day is missing.
  await appendRows(testContext(), {
    projectId,
    fileData: base64(`${[head, ...came.slice(0, -1)].join("\n")}\n`),
  });
  const total = totalOf(
    came.filter((line) => line.startsWith(panelDay(panelDays))).map((line) => Number(line.split(",").at(-1))),
  );
  const record = await recordOf(project);
  expect(record).toMatchObject({
    isTotal: true,
    baselineName: null,
    errors: { rows: 1, baseline: { mae: null } },
    overrides: { rows: 1, reasons: [{ reason: "Fair" }] },
  });
  // Two items of the store.
  expect(record.errors!.bias).toBeCloseTo(firstTotal + 10 - total, 6);
  expect(record.overrides!.calculated.mae).toBeCloseTo(Math.abs(firstTotal - total), 6);
  expect(record.actual[0]).toBeCloseTo(total, 6);
});

it("gives the reason for projects without a model, and hides those of others", async () => {
  const { id: projectId } = await createProject({ name: "Empty" });
  const as = await createKey({ projectId });
  expect(await recordOf({ projectId, as })).toMatchObject({
    target: null,
    errors: null,
    reason: expect.stringContaining("no model"),
  });
  const foreign = await createDailyProject();
  const answer = await callRoute(recordRoute, { params: { projectId: foreign.projectId }, as });
  expect(answer.status).toBe(404);
});
