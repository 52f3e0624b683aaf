import { describe, expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { createGrid } from "#lib/engine/features/grid";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { withColumn } from "#lib/engine/table/columns";
import { load, number, sales, series } from "#testing/sales-model";
import { fitModel } from "./fit-model.ts";

const START = Date.UTC(2000, 0, 1);
function regular(frequency: string, values: readonly number[], from = 0): Table {
  const { timeAt } = createGrid({ frequency, timezone: "UTC", start: START });
  return {
    rowCount: values.length,
    columns: [
      { name: "at", type: "timestamp", values: Float64Array.from(values, (_, i) => timeAt(from + i)) },
      number("y", values),
    ],
  };
}

async function forecast(frequency: string, values: readonly number[], horizon: number) {
  const table = regular(frequency, values);
  const fitted = await fitModel({ table, target: "y", timestamp: "at", frequency, request: { horizon } });
  const model = await load(fitted);
  const next = regular(frequency, Array(horizon).fill(0), values.length);
  const { predictions, intervals } = await model.predict(
    { ...next, columns: next.columns.slice(0, 1) },
    { include: { intervals: true } },
  );
  return { predictions, intervals: intervals!, summary: fitted.summary };
}

describe("a series of fewer than 30 points", () => {
  // A season of a year ends within these lengths of monthly data.
  test.each<[frequency: string, apart: number]>([
    ["PT1H", 3],
    ["P1D", 3],
    ["P7D", 3],
    ["P1M", 1],
    ["P3M", 3],
    ["P1Y", 3],
  ])("%s: trains with lengths from 10, %i apart", async (frequency, apart) => {
    const random = seededRandom(8);
    for (let length = 10; length < 30; length += apart) {
      const values = Array.from({ length }, (_, i) => 100 + 3 * i + 10 * random.next());
      const { predictions, intervals, summary } = await forecast(frequency, values, 6);
      expect(predictions).toHaveLength(6);
      predictions.forEach((value, step) => {
        expect(value).toBeGreaterThan(60);
        expect(value).toBeLessThan(300);
        expect(intervals.lower[step]).toBeLessThan(value);
        expect(intervals.upper[step]).toBeGreaterThan(value);
      });
      // Uncertainty grows with the steps ahead.
      expect(intervals.upper[5]! - intervals.lower[5]!).toBeGreaterThan(
        intervals.upper[0]! - intervals.lower[0]!,
      );
      const candidates = summary.leaderboard.filter(({ algorithm }) => algorithm !== "baseline");
      expect(candidates).toMatchObject([
        { algorithm: "combination", chosen: true, rung: 0, backTest: { metric: "rmse" } },
      ]);
    }
  });

  test("continues a repeating season and a steady trend", async () => {
    const seasonal = Array.from({ length: 24 }, (_, i) => [10, 50, 30, 90][i % 4]! + i / 10);
    const quarters = await forecast("P3M", seasonal, 4);
    quarters.predictions.forEach((value, i) => {
      expect(Math.abs(value - [10, 50, 30, 90][i]! - 2.6)).toBeLessThan(1);
    });
    const growing = Array.from({ length: 20 }, (_, i) => 100 + 2 * i);
    const { predictions } = await forecast("P1Y", growing, 3);
    predictions.forEach((value, step) => {
      expect(Math.abs(value - (140 + 2 * step))).toBeLessThan(2);
    });
  });

  test("responds to its inputs, and continues the remainder", async () => {
    const { summary } = await fitModel(series(sales(24), { hyperparameters: undefined }));
    expect(summary).toMatchObject({ algorithm: "combination" });
    expect(summary.leaderboard[0]).toMatchObject({ features: "inputs and target history" });
    expect(summary.inputFeatures.map(({ name }) => name)).toContain("temp");
    expect(summary.leaderboard).toHaveLength(2);
  });

  test.each([16, 24])("keeps the size of a strong effect, with %i points", async (count) => {
    const random = seededRandom(count);
    const inputs = Array.from({ length: count }, () => 4 * random.next() - 2);
    const values = inputs.map((x) => 100 + 10 * x + random.next());
    const months = (xs: readonly number[], from: number) => {
      const { columns } = regular("P1M", xs, from);
      return { rowCount: xs.length, columns: [columns[0]!, number("x", xs)] };
    };
    const table = withColumn(months(inputs, 0), number("y", values));
    const fitted = await fitModel({ table, target: "y", timestamp: "at", frequency: "P1M" });
    const model = await load(fitted);
    const [high, low] = await Promise.all(
      [2, -2].map(async (x) => (await model.predict(months([x], count))).predictions[0]!),
    );
    expect(high! - low!).toBeGreaterThan(36);
    expect(high! - low!).toBeLessThan(44);
  });

  test("is searched as usual if the caller chose something", async () => {
    const { summary } = await fitModel(series(sales(29), { algorithm: "ridge", hyperparameters: undefined }));
    expect(summary.leaderboard[0]).toMatchObject({ algorithm: "ridge", rung: 3 });
  });
});

test("excludes rows without lags from linear models, so that a trend continues", async () => {
  const values = Array.from({ length: 100 }, (_, i) => 1000 + 10 * i);
  const table = regular("P1D", values);
  for (const algorithm of ["ridge", "elastic_net"] as const) {
    const request = { algorithm, features: { lags: [30], calendar: false }, horizon: 30 };
    const model = await load(await fitModel({ table, target: "y", timestamp: "at", request }));
    const next = regular("P1D", Array(30).fill(0), 100);
    const { predictions } = await model.predict({ ...next, columns: next.columns.slice(0, 1) });
    predictions.forEach((value, step) => {
      expect(Math.abs(value - (2000 + 10 * step))).toBeLessThan(20);
    });
  }
});

test("replaces a missing value before a row by the previous one", async () => {
  const values = Array.from({ length: 60 }, (_, i) => 1000 + 10 * i);
  values[58] = Number.NaN;
  values[59] = Number.NaN;
  const table = withColumn(regular("P1D", values), number("y", values));
  const request: TrainModel = {
    algorithm: "ridge",
    features: { lags: [1], calendar: false },
    horizon: 2,
  };
  const model = await load(await fitModel({ table, target: "y", timestamp: "at", request }));
  const next = regular("P1D", [0], 60);
  const { predictions } = await model.predict({ ...next, columns: next.columns.slice(0, 1) });
  expect(predictions[0]).toBeGreaterThan(1500);
});
