import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { loadModel } from "#lib/engine/inference/load-model";
import { seasonalNaive } from "#lib/engine/learners/seasonal-naive";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { numericValues } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { fitModel } from "./fit-model.ts";
import { rollingFolds, shuffledFolds } from "./folds.ts";
import type { FittedModel } from "./model-summary.ts";
import { planSearch } from "./search-plan.ts";

const DAY = 86_400_000;

function daily(rows: number, columns: Record<string, (i: number) => number>): Table {
  const values = (value: (i: number) => number) => Float64Array.from({ length: rows }, (_, i) => value(i));
  const days: Column = {
    name: "day",
    type: "timestamp",
    values: values((i) => Date.UTC(2023, 0, 1) + i * DAY),
  };
  const others = Object.entries(columns).map(
    ([name, value]): Column => ({ name, type: "number", values: values(value) }),
  );
  return { rowCount: rows, columns: [days, ...others] };
}

/** Each week repeats the last one with small changes: last week's value is the best forecast. */
function weekAfterWeek(rows: number): Table {
  const random = seededRandom(6);
  const y: number[] = [];
  for (let i = 0; i < rows; i++) {
    y.push(i < 7 ? 500 + 200 * random.next() : y[i - 7]! + 60 * (random.next() - 0.5));
  }
  return daily(rows, { y: (i) => y[i]! });
}

/** Adds an input without effect. Series without inputs are not searched. */
function withNoise(table: Table): Table {
  const random = seededRandom(9);
  const values = Float64Array.from({ length: table.rowCount }, () => random.next());
  return { ...table, columns: [...table.columns, { name: "noise", type: "number", values }] };
}

/** Rows without timestamps and with nothing to learn. */
function rowsOfNoise(rows: number): Table {
  const random = seededRandom(4);
  const noise = Array.from({ length: 3 * rows }, () => random.next());
  const table = daily(rows, {
    a: (i) => noise[i]!,
    b: (i) => noise[rows + i]!,
    y: (i) => noise[2 * rows + i]!,
  });
  return { ...table, columns: table.columns.slice(1) };
}

const train = (table: Table, request: TrainModel, timestamp: string | null = "day") =>
  fitModel({ table, target: "y", timestamp, request });
const load = ({ files }: FittedModel) => loadModel(async (name) => files.get(name)!);

describe("back-tests", () => {
  test("of a series are fitted on rows before those that they predict, over the model's horizon", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: 5000 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 2, max: 100 }),
        (rows, horizon, learnedMin) => {
          const folds = rollingFolds(rows, horizon, learnedMin);
          expect(folds.length).toBeGreaterThan(0);
          for (const { train, test } of folds) {
            expect(train).toEqual([{ from: 0, to: test.from }]);
            expect(test.from).toBeGreaterThan(0);
            expect(test.to).toBeGreaterThan(test.from);
          }
          expect(folds.at(-1)!.test.to).toBe(rows);
          if (rows >= 4 * horizon && learnedMin <= rows / 2) {
            expect(folds.every(({ test }) => test.to - test.from >= Math.min(horizon, 0.3 * rows))).toBe(
              true,
            );
          }
          if (rows >= 24 && learnedMin <= rows / 2) expect(folds).toHaveLength(3);
        },
      ),
    );
  });

  test("of rows in random order predict each training row once, from the other folds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 2000 }), (rows) => {
        const seen = new Uint8Array(rows);
        for (const { train, test } of shuffledFolds(rows)) {
          seen.subarray(test.from, test.to).forEach((_, i) => {
            seen[test.from + i]! += 1;
          });
          const learned = train.reduce((sum, { from, to }) => sum + to - from, 0);
          expect(learned).toBe(rows - (test.to - test.from));
          for (const { from, to } of train) expect(to <= test.from || from >= test.to).toBe(true);
        }
        expect(seen.every((times) => times === 1)).toBe(true);
      }),
    );
  });

  test("use fewer rows, then fewer settings, for wider data of any length", () => {
    const folds = rollingFolds(1_000_000, 168, 100);
    const plans = [5, 70, 500, 5_000].map((columns) =>
      planSearch(folds, { rows: 1_000_000, columns, sets: 3, order: "random" }),
    );
    const rows = plans.map(({ rungs }) => rungs[2].budget.rowsMax);
    expect(rows[0]).toBeGreaterThan(rows[1]!);
    expect(plans.map(({ boostingSettings }) => boostingSettings.length)).toEqual([8, 8, 1, 1]);
    expect(rows.at(-1)).toBe(1_000);
  });
});

describe("the naive forecast as a model", () => {
  test("is a candidate like the others, and the leaderboard reports each result", async () => {
    const { summary } = await train(withNoise(weekAfterWeek(400)), {
      horizon: 7,
      hyperparameters: { rounds: 10 },
    });
    const [kept, ...others] = summary.leaderboard;
    expect(kept).toMatchObject({ chosen: true, rung: 3 });
    expect(kept!.backTest!.folds).toHaveLength(3);
    const naive = others.find(({ algorithm, rung }) => algorithm === "seasonal_naive" && rung === 3)!;
    expect(naive).toMatchObject({ features: "7 steps before", mode: "direct" });
    for (const family of ["seasonal_naive", "drift", "ridge"]) {
      const reached = [kept!, ...others].filter(({ algorithm, rung }) => algorithm === family && rung === 3);
      expect(reached.length).toBeGreaterThan(0);
      expect(reached.some(({ validation }) => validation !== null)).toBe(true);
      for (const { backTest } of reached)
        expect(backTest!.mean).toBeGreaterThan(kept!.backTest!.mean! * 0.997);
    }
    expect(summary.resolvedRequest).toMatchObject({ algorithm: kept!.algorithm });
  });

  test("has no lower back-test error than the model that is kept", async () => {
    const { summary } = await train(rowsOfNoise(80), {}, null);
    const [kept, baseline] = [summary.leaderboard[0]!, summary.leaderboard.at(-1)!];
    expect(kept.backTest!.folds.length).toBeGreaterThanOrEqual(3);
    expect(kept.backTest!.mean).toBeLessThanOrEqual(baseline.backTest!.mean!);
  });

  test("repeats the last season over any horizon, with intervals and contributions", async () => {
    const table = weekAfterWeek(300);
    const model = await load(
      await train(sliceRows(table, 0, 280), { algorithm: "seasonal_naive", horizon: 20 }),
    );
    const include = { intervals: true, contributions: true };
    const next = await model.predict(sliceRows(table, 280), { include });
    const expected = seasonalNaive(numericValues(table, "y").subarray(0, 280), 7, 20);
    next.predictions.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i]!, 4);
      expect(next.intervals!.lower[i]).toBeLessThanOrEqual(value);
      const sum = next.contributions!.values[i]!.reduce((a, b) => a + b, next.contributions!.baseValue);
      expect(sum).toBeCloseTo(value, 6);
    });
    expect(next.warnings.map(({ code }) => code)).toEqual(["unknown_column"]);
  });

  test("is rejected with the reason for rows without a series", async () => {
    const table = weekAfterWeek(100);
    await expect(train(table, { algorithm: "seasonal_naive" }, null)).rejects.toThrow(
      "`algorithm` is `seasonal_naive`, which needs a series, but the rows have no timestamp at a regular frequency.",
    );
  });
});

describe("the search", () => {
  test("is left out for a series without inputs, whose model is the combination", async () => {
    const { summary } = await train(weekAfterWeek(400), { horizon: 7 });
    expect(summary).toMatchObject({ algorithm: "combination" });
    const [kept, ...others] = summary.leaderboard;
    expect(kept).toMatchObject({ rung: 0, settings: { seasons: "7 (factors)" } });
    expect(others.map(({ algorithm }) => algorithm)).toEqual(["baseline"]);
    for (const request of [{ algorithm: "ridge" }, { hyperparameters: { loss: "absolute" } }] as const) {
      const chosen = await train(weekAfterWeek(120), { horizon: 7, ...request });
      expect(chosen.summary.leaderboard[0]).toMatchObject({ rung: 3 });
    }
  });

  test("chooses by back-tests: a change in later rows affects the metrics, not the choice", async () => {
    const x = (i: number) => Math.sin(i * i);
    const table = daily(300, { x, y: (i) => (i < 240 ? 10 : -90) * x(i) });
    const { summary } = await train(table, { horizon: 7 });
    expect(["ridge", "elastic_net", "combination", "blend"]).toContain(summary.algorithm);
    const naive = summary.leaderboard.find(({ algorithm }) => algorithm === "seasonal_naive")!;
    expect(summary.leaderboard[0]!.backTest!.mean).toBeLessThan(naive.backTest!.mean! / 5);
    expect(summary.trainingMetrics.validation!.rmse).toBeGreaterThan(50);
  });

  test("uses only the requested target lags", async () => {
    const { summary } = await train(weekAfterWeek(120), { features: { lags: [] } });
    expect(summary.leaderboard.some(({ algorithm }) => algorithm === "seasonal_naive")).toBe(false);
    expect(summary.featureEngineering.steps.some(({ op }) => op === "lag")).toBe(false);
  });

  test("compares rows without timestamps on five folds, with the mean as naive forecast", async () => {
    const table = daily(200, { x: (i) => Math.sin(i * i), y: (i) => 10 * Math.sin(i * i) });
    const { summary } = await train({ ...table, columns: table.columns.slice(1) }, {}, null);
    const [kept, baseline] = [summary.leaderboard[0]!, summary.leaderboard.at(-1)!];
    expect([kept.backTest!.folds.length, baseline.backTest!.folds.length]).toEqual([5, 5]);
    expect(baseline.name).toBe("Baseline: mean");
    expect(kept.backTest!.mean).toBeLessThan(baseline.backTest!.mean! / 5);
    expect(kept.mode).toBe("independent");
  });

  test("uses given settings unchanged, and retrains from the resolved request without a search", async () => {
    const table = weekAfterWeek(200);
    const one = await train(table, { algorithm: "gradient_boosting", hyperparameters: { rounds: 30 } });
    expect(one.summary.leaderboard.filter(({ rung }) => rung === 2)).toEqual([]);
    const again = await train(table, one.summary.resolvedRequest!);
    expect(again.files.get("model.onnx")).toEqual(one.files.get("model.onnx"));
    expect(again.summary.leaderboard).toHaveLength(2);
  });

  test("trains elastic net with a chosen or given penalty, and drops irrelevant inputs", async () => {
    const random = seededRandom(9);
    const noise = Float64Array.from({ length: 4000 }, () => random.next());
    const columns = Object.fromEntries(
      Array.from({ length: 10 }, (_, k) => [`x${k}`, (i: number) => noise[(i * 10 + k) % 4000]!]),
    );
    const table = daily(400, { ...columns, y: (i) => 50 + 20 * columns.x0!(i) + noise[(i * 7) % 4000]! });
    const found = await train(table, { algorithm: "elastic_net", features: { lags: [], calendar: false } });
    expect(found.summary.modelName).toBe("Elastic net");
    expect(found.summary.importance.find(({ feature }) => feature === "x0")!.gain).toBeGreaterThan(0.8);
    const hyperparameters = { alpha: 0.5, l1Ratio: 1 };
    const given = await train(table, {
      algorithm: "elastic_net",
      features: { lags: [], calendar: false },
      hyperparameters,
    });
    expect(given.summary.leaderboard[0]!.settings).toEqual(hyperparameters);
    expect(given.summary.importance.filter(({ gain }) => gain > 0)).toMatchObject([
      { feature: "x0", gain: 1 },
    ]);
  });
});
