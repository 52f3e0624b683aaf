import { describe, expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { numericValues, withColumn } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { DAY, load, number, START, sales, series } from "#testing/sales-model";
import type { FitInput } from "./fit-input.ts";
import { fitModel } from "./fit-model.ts";

/** Rows with nothing to learn; unconstrained trees can memorise every row. */
function noise(rows: number, seed = 3): Table {
  const random = seededRandom(seed);
  return {
    rowCount: rows,
    columns: [
      {
        name: "day",
        type: "timestamp",
        values: Float64Array.from({ length: rows }, (_, i) => START + i * DAY),
      },
      number("x", Float64Array.from({ length: rows }, random.next)),
      number(
        "y",
        Float64Array.from({ length: rows }, () => 100 + 10 * random.next()),
      ),
    ],
  };
}

const byHeart: FitInput["request"] = {
  algorithm: "gradient_boosting",
  features: { lags: [], calendar: false },
  hyperparameters: {
    rounds: 60,
    learningRate: 0.3,
    maxLeaves: 200,
    minLeaf: 1,
    subsample: 1,
    earlyStopping: false,
  },
};
const memorize = (table: Table, timestamp: string | null = "day"): FitInput => ({
  table: timestamp === null ? { ...table, columns: table.columns.slice(1) } : table,
  target: "y",
  timestamp,
  request: byHeart,
});

describe("the final model is fitted on all rows", () => {
  test.each(["gradient_boosting", "ridge", "elastic_net"] as const)("%s", async (algorithm) => {
    const table = sales(400);
    const request = { algorithm, features: { lags: [] } };
    // In the last fifth, the target is higher by 100.
    const moved = numericValues(table, "sales").map((value, i) => value + (i < 320 ? 0 : 100));
    const { summary, ...fitted } = await fitModel(series(withColumn(table, number("sales", moved)), request));
    const model = await load({ summary, ...fitted });
    const { predictions } = await model.predict(sliceRows(table, 320));
    const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(predictions)).toBeGreaterThan(mean(moved.subarray(320)) - 75);
    expect(summary.trainingMetrics.validation!.bias).toBeLessThan(-80);
    expect(summary.trainingRows).toBe(400);
    expect(model.state).toMatchObject({ version: 2, learnedUntil: START + 399 * DAY, validationRows: 80 });
  });

  test("describes its inputs by all rows", async () => {
    const table = sales(400);
    const temp = numericValues(table, "temp").map((value, i) => (i === 399 ? 99 : value));
    const { summary } = await fitModel(
      series(withColumn(table, number("temp", temp)), { algorithm: "ridge", features: { lags: [] } }),
    );
    expect(summary.inputFeatures.find(({ name }) => name === "temp")!.max).toBe(99);
  });

  test("memorises rows if unconstrained, but its metrics come from unseen rows", async () => {
    for (const timestamp of ["day", null]) {
      const table = noise(400);
      const fitted = await fitModel(memorize(table, timestamp));
      const { summary } = fitted;
      const model = await load(fitted);
      const known = await model.predict(table);
      expect(regressionMetrics(numericValues(table, "y"), known.predictions).r2).toBeGreaterThan(0.6);

      // Metrics and preview.
      const { validation } = summary;
      expect(summary.trainingMetrics.validation!.r2).toBeLessThan(0.3);
      const shown = regressionMetrics(
        Float64Array.from(validation!.actual),
        Float64Array.from(validation!.predicted),
      );
      expect(shown).toEqual(summary.trainingMetrics.validation);

      // Stored out-of-sample predictions.
      const kept = await model.outOfSample();
      expect([...kept.validation.predicted]).toEqual(validation!.predicted);
      expect([...kept.validation.row]).toEqual(validation!.rows);
      // A single candidate for rows in random order has no back-tests.
      for (const part of timestamp === null ? [kept.validation] : [kept.backTests, kept.validation]) {
        expect(part.row.length).toBeGreaterThan(50);
        expect(regressionMetrics(part.actual, part.predicted).r2).toBeLessThan(0.3);
        const actual = numericValues(table, "y");
        expect([...part.actual]).toEqual(Array.from(part.row, (row) => actual[row - 1]));
      }

      // Importance: shuffling a memorised column would cost several times as much.
      const [x] = summary.importance;
      expect(x!.permutation).toBeLessThan(summary.trainingMetrics.validation!.rmse! / 2);

      // Prediction intervals cover new rows, and the reported coverage agrees.
      const fresh = noise(400, 4);
      const { predictions, intervals } = await model.predict(fresh, { include: { intervals: true } });
      const inside = numericValues(fresh, "y").filter(
        (y, i) => y >= intervals!.lower[i]! && y <= intervals!.upper[i]!,
      );
      expect(inside.length / predictions.length).toBeGreaterThan(0.85);
      expect(Math.abs(summary.coverage! - inside.length / predictions.length)).toBeLessThan(0.1);
    }
  }, 60_000); // Fits, back-tests and refits trees that memorize 400 rows, twice.

  test("includes the naive forecast that it was compared with, chosen without the validation rows", async () => {
    // Weekly seasonality, except in the validation rows, where each value repeats the last one.
    const table = sales(300);
    const y = Float64Array.from({ length: 300 }, (_, i) => (i < 240 ? 10 * (i % 7) : Math.floor(i / 20)));
    const { summary, ...fitted } = await fitModel(
      series(withColumn(table, number("sales", y)), { algorithm: "ridge", horizon: 7 }),
    );
    const model = await load({ summary, ...fitted });
    expect(model.state.naive).toEqual({ seasonal: { season: 7, horizon: 7 } });
    expect(summary.leaderboard.at(-1)!.name).toBe("Baseline: seasonal naive, 7 steps");
  });
});

test("keeps the R² of a target of 1e9 ± 0.5, with and without lags", async () => {
  const table = sales(400);
  const small = numericValues(table, "sales").map((value) => value / 100);
  const large = small.map((value) => 1e9 + value);
  for (const request of [
    { algorithm: "gradient_boosting", features: { lags: [] } },
    { algorithm: "gradient_boosting", features: { lags: [1, 7] }, horizon: 7 },
    { algorithm: "ridge", features: { lags: [1, 7] }, horizon: 7 },
  ] satisfies FitInput["request"][]) {
    const r2 = async (values: Float64Array) => {
      const fitted = await fitModel(series(withColumn(table, number("sales", values)), request));
      const model = await load(fitted);
      const { predictions, contributions } = await model.predict(table, { include: { contributions: true } });
      const sum = contributions!.values[9]!.reduce((total, value) => total + value, contributions!.baseValue);
      expect(sum).toBeCloseTo(predictions[9]!, 5);
      return [
        fitted.summary.trainingMetrics.validation!.r2!,
        regressionMetrics(values, predictions).r2!,
      ] as const;
    };
    const [expected, found] = [await r2(small), await r2(large)];
    expect(expected[0]).toBeGreaterThan(0.8);
    expect(found[0]).toBeCloseTo(expected[0], 2);
    expect(found[1]).toBeCloseTo(expected[1], 2);
  }
});
