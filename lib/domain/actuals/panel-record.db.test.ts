import { beforeAll, expect, test } from "vitest";
import type { CheckpointRecord, ModelChanges } from "#lib/contract/actuals";
import type { Model } from "#lib/contract/models";
import type { Prediction } from "#lib/contract/predictions";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { callRoute, testContext } from "#testing/api";
import { createPanelProject, panelCsv, panelDay, panelDays } from "#testing/panel-project";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, type TrainedProject, train } from "#testing/scenario-factory";
import { GET as recordRoute } from "../../../app/api/v1/projects/[projectId]/checkpoints/[checkpointId]/record/route.ts";
import { GET as changesRoute } from "../../../app/api/v1/projects/[projectId]/models/[modelId]/changes/route.ts";
import { GET as currentModelRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";

await createTestDatabase();

/** Days that arrive after the training. */
const NEW_DAYS = 10;
const [head, ...lines] = panelCsv(panelDays + NEW_DAYS)
  .trim()
  .split("\n");
const cellsOf = (line: string) => line.split(",");
// One series gets no new rows, and another one has a gap.
const came = lines.filter(
  (line) =>
    line >= panelDay(panelDays) &&
    !line.includes(",C,2,") &&
    !line.startsWith(`${panelDay(panelDays + 3)},A,1,`),
);
const salesOf = (line: string) => Number(cellsOf(line).at(-1));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

let project: TrainedProject;
let checkpointId: string;
beforeAll(async () => {
  project = await createPanelProject();
  ({ checkpointId } = (await createScenario(project, { endDate: panelDay(panelDays + 1) })) as {
    checkpointId: string;
  });
});

const recordOf = async (query: Record<string, string> = {}) => {
  const params = { projectId: project.projectId, checkpointId };
  return (await callRoute<CheckpointRecord>(recordRoute, { params, query, as: project.as })).data;
};
const current = async () => {
  const params = { projectId: project.projectId };
  return (await callRoute<Model>(currentModelRoute, { params, as: project.as })).data;
};
const changesOf = async (modelId: string) => {
  const params = { projectId: project.projectId, modelId };
  return (await callRoute<ModelChanges>(changesRoute, { params, as: project.as })).data;
};

test("a record of many series has the errors of single rows, from predict's values, and the chart of their sums", async () => {
  expect(await recordOf()).toMatchObject({
    errors: null,
    reason: expect.stringContaining("No actual values"),
  });
  await appendRows(testContext(), {
    projectId: project.projectId,
    fileData: base64(`${[head, ...came].join("\n")}\n`),
  });
  const column = (at: number) => came.map((line) => cellsOf(line)[at]!);
  const { data, text } = await callRoute<Prediction>(predictRoute, {
    params: { projectId: project.projectId },
    as: project.as,
    body: {
      input: {
        date: column(0),
        store: column(1),
        item: column(2),
        region: column(3),
        price: column(4).map(Number),
        promo: column(5).map(Number),
      },
    },
  });
  expect(data.predictions, text).toHaveLength(came.length);
  const misses = data.predictions.map((value, at) => value! - salesOf(came[at]!));
  const record = await recordOf();
  expect(record).toMatchObject({
    reason: null,
    baselineName: "seasonal naive, 7 steps",
    series: { measured: 5, count: 5 },
    errors: { rows: came.length, coverage: expect.any(Number) },
  });
  expect(record.errors!.mae).toBeCloseTo(mean(misses.map(Math.abs)), 9);
  expect(record.errors!.bias).toBeCloseTo(mean(misses), 9);
  expect(record.periods.reduce((sum, { rows }) => sum + rows, 0)).toBe(came.length);

  const sumAt = (day: number, valueAt: (at: number) => number) =>
    came.reduce((sum, line, at) => sum + (line.startsWith(panelDay(panelDays + day)) ? valueAt(at) : 0), 0);
  expect(record.timestamps).toHaveLength(NEW_DAYS);
  for (const day of [0, 3, 9]) {
    expect(record.actual[day]).toBeCloseTo(
      sumAt(day, (at) => salesOf(came[at]!)),
      6,
    );
    expect(record.predicted[day]).toBeCloseTo(
      sumAt(day, (at) => data.predictions[at]!),
      6,
    );
  }
  expect(record.lower[0]).toBeLessThan(record.predicted[0]!);
  expect(record.upper[0]).toBeGreaterThan(record.predicted[0]!);
});

test("a later model of many series is compared with the former one on the rows that both predicted unseen", async () => {
  const before = await current();
  await train(project.projectId, {});
  const after = await current();
  expect(after.id).not.toBe(before.id);
  const { sameRows, reason } = await changesOf(after.id);
  expect(reason).toBeNull();
  // Six series have 26 steps, one of them ended ten days earlier, and another one has a gap.
  const rows = 6 * 26 - NEW_DAYS - 1;
  expect(sameRows).toMatchObject({
    series: { measured: 6, count: 6 },
    after: { rows, rmse: after.trainingMetrics.validation?.rmse },
    before: { rows },
    to: `${panelDay(panelDays + NEW_DAYS - 1)}T00:00:00.000Z`,
  });
  for (const { rmse, baseline } of [sameRows!.before, sameRows!.after])
    expect(baseline.rmse).toBeGreaterThan(rmse!);
}, 120_000);
