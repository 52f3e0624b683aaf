import { describe, expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { knownSeries } from "#lib/engine/forecasting/known-series";
import { readLearner } from "#lib/engine/inference/learner-file";
import { dropColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { load, number } from "#testing/sales-model";
import type { CandidateContext, CandidateSpec } from "./candidate.ts";
import { PAST_ONLY } from "./feature-sets.ts";
import { fitModel } from "./fit-model.ts";
import { fitSeries } from "./fit-series.ts";
import { predictorOf } from "./predict-fold.ts";
import { prepareData } from "./prepare-data.ts";
import { writeModel } from "./write-model.ts";

const HOUR = 3_600_000;

/** Values at regular times, `stepMs` apart. */
function seriesTable(length: number, stepMs: number, valueAt: (i: number) => number): Table {
  const times = Float64Array.from({ length }, (_, i) => Date.UTC(2010, 0, 4) + i * stepMs);
  const values = Float64Array.from({ length }, (_, i) => valueAt(i));
  return {
    rowCount: length,
    columns: [{ name: "time", type: "timestamp", values: times }, number("y", values)],
  };
}

const request = (table: Table, algorithm: "combination" | "ets", horizon: number) => ({
  table,
  target: "y",
  timestamp: "time",
  request: { algorithm, horizon },
});

describe("the leaderboard", () => {
  const weekly = seriesTable(
    120,
    24 * HOUR,
    (i) => 100 + [0, 4, 9, 3, 20, 41, 30][i % 7]! + 5 * Math.sin(i * i),
  );

  test("lists the serving members of a combination with their weights and errors", async () => {
    const { files, summary } = await fitModel(request(weekly, "combination", 14));
    const { members, settings } = summary.leaderboard[0]!;
    const learner = readLearner(files.get("learner.json")!);
    if (learner.kind !== "series") throw new Error("The learner is not one of series methods.");
    expect(members).toHaveLength(learner.methods.length);
    expect(settings!.methods).toBe(members!.map(({ name }) => name).join("; "));
    expect(members!.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
    const errors = members!.map(({ error }) => error!);
    const { rmse } = summary.trainingMetrics.validation!;
    expect(Math.min(...errors)).toBeLessThanOrEqual(rmse! * 1.5);
    expect(Math.max(...errors)).toBeGreaterThanOrEqual(rmse! / 1.5);
  });

  test("has no members for a single method", async () => {
    const { summary } = await fitModel(request(weekly, "ets", 14));
    expect(summary.leaderboard[0]).not.toHaveProperty("members");
  });
});

test("the training metrics skip the rows of the first horizon, which no known value precedes", async () => {
  const wave = (i: number) => 3 * Math.sin(i) + (i % 7);
  const { columns, rowCount } = seriesTable(400, 10_000, (i) => 50 + 2 * wave(i) + (i % 5) + i / 50);
  const table = {
    rowCount,
    columns: [
      ...columns,
      number(
        "x",
        Float64Array.from({ length: rowCount }, (_, i) => wave(i)),
      ),
    ],
  };
  const { summary } = await fitModel(request(table, "combination", 80));
  const { train, validation } = summary.trainingMetrics;
  expect(train!.rmse).toBeLessThan(2 * validation!.rmse!);
});

test("a model of a longer series than is stored with it continues from the state at the first stored row", async () => {
  const length = 100_300;
  // The period is no divisor of the rows that are left out.
  const season = [0, 4, 9, 3, 20, 41, 30];
  const table = seriesTable(length + 14, 24 * HOUR, (i) => 100 + season[i % 7]! + 3 * Math.sin(i * i));
  const [time, target] = ["time", "y"];
  const data = prepareData({
    table: sliceRows(table, 0, length),
    target,
    timestamp: time,
    frequency: "P1D",
    timezone: "UTC",
    validationFraction: 0.01,
    order: "time",
    seed: 1,
  });
  const known = knownSeries(data.table, { timestamp: time, target, grid: data.grid! });
  const context: CandidateContext = {
    data,
    known,
    timestamp: time,
    target,
    timezone: "UTC",
    upstream: [],
    dateRules: new Map(),
    missing: new Set(),
    ignored: new Set(),
    dropped: [],
    generatedUpstream: { rowCount: table.rowCount, columns: [] },
    classes: null,
    isOfLogs: false,
    ofLogs: null,
    signs: {},
    calendar: false,
    extra: {},
    horizon: 14,
    seed: 1,
    shouldStop: () => false,
  };
  const spec: CandidateSpec = { family: "combination", set: PAST_ONLY, hyperparameters: {} };
  // Parameters of the oldest rows: all methods begin long before the stored rows.
  const finalModel = fitSeries(context, spec, [{ from: 0, to: 200 }])!;
  const [nothing, none] = [new Float64Array(), { rmse: null, mae: null, mape: null, r2: null, bias: null }];
  const validated = { from: data.trainingRows, actual: nothing, predicted: nothing, steps: null };
  const tried = { ...spec, scores: [], learned: [], rung: 0, backTests: [], seconds: 0 };
  const written = await writeModel({
    context,
    finalModel,
    fitted: finalModel,
    tried,
    validated,
    targetMetric: "rmse",
    leaderboard: [],
    request: {},
    train: none,
    validation: none,
    baseline: none,
    naive: { mean: 100 },
    outOfSample: { backTests: [], validation: validated, calibration: [], generated: [], upstream: [] },
    members: [],
  });
  const model = await load(written);
  expect(model.history!.rowCount).toBe(100_000);
  const next = dropColumns(sliceRows(table, length), ["y"]);
  const whole = await predictorOf(context, finalModel).predict(next, known);
  const { predictions } = await model.predict(next);
  predictions.forEach((value, row) => {
    expect(value).toBeCloseTo(whole.predictions[row]!, 6);
  });
  expect(predictions.indexOf(Math.max(...predictions))).toBe((5 - (length % 7) + 7) % 7);
});
