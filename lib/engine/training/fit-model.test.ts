import { describe, expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { checkFiles } from "#lib/engine/inference/check-files";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import { dropColumns, numericValues, selectColumns, withColumn } from "#lib/engine/table/columns";
import { sliceRows, takeRows } from "#lib/engine/table/rows";
import { load, number, quick, sales, series } from "#testing/sales-model";
import type { FitInput } from "./fit-input.ts";
import { fitModel } from "./fit-model.ts";

describe("a model of a series", () => {
  test.each([
    ["auto", {}],
    ["trees on the inputs alone", { algorithm: "gradient_boosting", features: { lags: [] } }],
    [
      "trees with recursive lags",
      { algorithm: "gradient_boosting", features: { lags: [1, 7] }, horizon: 14 },
    ],
    [
      "ridge with recursive lags and a window",
      {
        algorithm: "ridge",
        features: { lags: [1, 2], rolling: [{ window: 7, shift: 1, statistic: "mean" }] },
      },
    ],
    ["ridge with direct lags", { algorithm: "ridge", features: { lags: [28, 35] }, horizon: 28 }],
  ] satisfies [string, FitInput["request"]][])(
    "stores metrics that match its stored predictions, and predicts each row independently of the others: %s",
    async (_, request) => {
      const table = sales(400);
      const fitted = await fitModel(series(table, request));
      const { summary } = fitted;
      expect(summary).toMatchObject({ trainingRows: 400, validationRows: 80 });
      const validation = sliceRows(table, 320);
      const model = await load(fitted);
      const kept = (await model.outOfSample()).validation;
      expect([...kept.actual]).toEqual([...numericValues(validation, "sales")]);
      expect(summary.trainingMetrics.validation).toEqual(regressionMetrics(kept.actual, kept.predicted));
      expect(summary.primaryMetricValue).toBe(summary.trainingMetrics.validation!.rmse);
      const { predictions } = await model.predict(validation);

      // Rows predicted in another order, or alone, have the same bits.
      const order = [...Array(validation.rowCount).keys()].reverse();
      const reversed = await model.predict(takeRows(validation, order));
      expect([...reversed.predictions].reverse()).toEqual([...predictions]);
      for (const row of [0, 13, 79]) {
        const alone = await model.predict(sliceRows(validation, row, row + 1));
        expect(alone.predictions[0]).toBe(predictions[row]);
      }
    },
  );

  test.each([28, 400])(
    "compares with the naive forecast from the same origins: horizon %i",
    async (horizon) => {
      const table = selectColumns(sales(400), ["day", "sales"]);
      const request = { algorithm: "seasonal_naive", horizon } as const;
      const { summary } = await fitModel(series(table, request));
      const { validation, baseline } = summary.trainingMetrics;
      expect(baseline!.rmse).toBeCloseTo(validation!.rmse!, 3);
      expect(summary.leaderboard.at(-1)).toMatchObject({ algorithm: "baseline", validation: baseline });
    },
  );

  test("beats the baseline, knows its horizon, frequency and importance", async () => {
    const { summary } = await fitModel(series(sales(400)));
    const { validation, baseline } = summary.trainingMetrics;
    expect(validation!.r2).toBeGreaterThan(0.95);
    expect(validation!.rmse).toBeLessThan(baseline!.rmse! / 2);
    expect(summary).toMatchObject({
      frequency: "P1D",
      horizon: 28,
      targetMetric: "rmse",
      validationRows: 80,
    });
    expect(summary.importance.reduce((sum, { gain }) => sum + gain, 0)).toBeCloseTo(1);
    for (const { gain, parts } of summary.importance) {
      if (parts) expect(parts.reduce((sum, part) => sum + part.gain, 0)).toBeCloseTo(gain);
    }
    const details = summary.importance.flatMap(({ parts = [] }) => parts.map(({ detail }) => detail));
    expect(details).toContain("day of week");
    expect(summary.leaderboard.filter(({ chosen }) => chosen)).toHaveLength(1);
    const families = summary.leaderboard.map(({ algorithm }) => algorithm);
    expect(new Set(families.filter((family) => family !== "blend"))).toEqual(
      new Set(["seasonal_naive", "drift", "combination", "ridge", "gradient_boosting", "baseline"]),
    );
  });

  test.each([
    ["boosting", sales(200), { algorithm: "gradient_boosting", seed: 7 }],
    ["automatic choice", sales(120), {}],
    ["automatic choice without inputs", selectColumns(sales(120), ["day", "sales"]), {}],
  ] satisfies [string, Table, FitInput["request"]][])(
    "produces the same bytes for the same data and seed: %s",
    async (_, table, request) => {
      const [one, two] = [await fitModel(series(table, request)), await fitModel(series(table, request))];
      expect([...one.files]).toEqual([...two.files]);
    },
  );

  test("records whether series methods use the inputs, and retrains in the same way", async () => {
    const table = sales(80);
    for (const inputs of [true, false]) {
      const request: TrainModel = { algorithm: "theta", features: { inputs, inputLags: { steps: 0 } } };
      const one = await fitModel(series(table, request));
      expect(one.summary.inputFeatures.some(({ name }) => name === "temp")).toBe(inputs);
      expect(one.summary.leaderboard).toHaveLength(2);
    }
    const { summary } = await fitModel(series(table, { algorithm: "theta" }));
    const { algorithm, features } = summary.resolvedRequest!;
    const usesTemp = summary.inputFeatures.some(({ name }) => name === "temp");
    const inputLags = usesTemp ? { inputLags: { steps: 0 } } : {};
    expect({ algorithm, features }).toEqual({
      algorithm: "theta",
      features: { inputs: usesTemp, ...inputLags },
    });
  });

  test("names only the features that a model without lags has", async () => {
    const lags: number[] = [];
    const featuresOf = async (input: FitInput) => (await fitModel(input)).summary.leaderboard[0]!.features;
    const ridge = { algorithm: "ridge", features: { lags } } as const;
    const table = sales(80);
    expect(await featuresOf(series(table, ridge))).toBe("inputs and calendar");
    const plain = series(table, { ...ridge, features: { lags, calendar: false } });
    expect(await featuresOf(plain)).toBe("inputs");
    expect(await featuresOf(series(selectColumns(table, ["day", "sales"]), ridge))).toBe("calendar");
    const untimed = { ...series(dropColumns(table, ["day"])), timestamp: null };
    expect(await featuresOf({ ...untimed, request: { algorithm: "ridge" } })).toBe("inputs");
    expect(await featuresOf({ ...untimed, request: { algorithm: "mean" } })).toBe("none");
  });

  test("keeps only candidates that use the inputs on request", async () => {
    const { summary } = await fitModel(series(sales(80), { features: { inputs: true } }));
    const families = new Set(summary.leaderboard.map(({ algorithm }) => algorithm));
    expect(families).toEqual(new Set(["blend", "combination", "ridge", "gradient_boosting", "baseline"]));
    expect(summary.leaderboard.some(({ features }) => features === "target history")).toBe(false);
  });

  test("returns contributions by input feature that add up to each prediction", async () => {
    const table = sales(300);
    for (const algorithm of ["gradient_boosting", "ridge"] as const) {
      const model = await load(
        await fitModel(series(table, { algorithm, features: { lags: [7] }, horizon: 7 })),
      );
      const rows = sliceRows(table, 280);
      const { predictions, contributions } = await model.predict(rows, { include: { contributions: true } });
      expect(new Set(contributions!.features)).toEqual(new Set(["day", "temp", "kind", "open", "sales"]));
      contributions!.values.forEach((values, row) => {
        const sum = values.reduce((total, value) => total + value, contributions!.baseValue);
        expect(sum).toBeCloseTo(predictions[row]!, 9);
      });
    }
  });

  test("returns intervals that contain the prediction and cover about 90% of the rows", async () => {
    const table = sales(1500);
    const fitted = await fitModel(series(table, { algorithm: "ridge", features: { lags: [] } }));
    const model = await load(fitted);
    const fresh = sales(1500, 2);
    const { predictions, intervals } = await model.predict(fresh, { include: { intervals: true } });
    const { lower, upper, level } = intervals!;
    expect(level).toBe(0.9);
    const actual = numericValues(fresh, "sales");
    const inside = actual.reduce((n, y, i) => n + (y >= lower[i]! && y <= upper[i]! ? 1 : 0), 0);
    expect(inside / 1500).toBeGreaterThan(0.85);
    expect(fitted.summary.coverage).toBeGreaterThan(0.8);
    predictions.forEach((value, i) => {
      expect(lower[i]! <= value && value <= upper[i]!).toBe(true);
    });
  });

  test("never predicts negative values for a target without negative values, and contributions still add up", async () => {
    const table = sales(400);
    const target = numericValues(table, "sales").map((value) => Math.max(0, value - 120));
    const rare = withColumn(table, number("sales", target));
    for (const algorithm of ["gradient_boosting", "ridge"] as const) {
      const model = await load(await fitModel(series(rare, { algorithm, features: { lags: [] } })));
      const include = { intervals: true, contributions: true };
      const { predictions, intervals, contributions } = await model.predict(rare, { include });
      expect(Math.min(...predictions)).toBe(0);
      expect(Math.min(...intervals!.lower)).toBe(0);
      contributions!.values.forEach((values, row) => {
        const sum = values.reduce((total, value) => total + value, contributions!.baseValue);
        expect(sum).toBeCloseTo(predictions[row]!, 9);
      });
    }
  });

  test("continues after the series with its own predictions, and warns beyond the validated horizon", async () => {
    const table = sales(300);
    const past = sliceRows(table, 0, 240);
    const model = await load(await fitModel(series(past, { features: { lags: [1, 7] }, horizon: 10 })));
    const next = sliceRows(table, 240, 255);
    const { predictions, warnings } = await model.predict(next);
    expect(predictions.every(Number.isFinite)).toBe(true);
    expect(warnings).toContainEqual(expect.objectContaining({ code: "beyond_horizon", rows: 5 }));
    expect(warnings.some(({ code }) => code === "incomplete_history")).toBe(false);
    const gap = await model.predict(sliceRows(table, 250, 255));
    expect(gap.warnings).toContainEqual(expect.objectContaining({ code: "incomplete_history" }));
    const newer = await model.predict(sliceRows(table, 250, 255), { history: sliceRows(table, 0, 250) });
    expect(newer.warnings.some(({ code }) => code === "incomplete_history")).toBe(false);
  });

  test("does not read a target at or after a row's forecast origin", async () => {
    const table = sales(300);
    const model = await load(await fitModel(series(table, { features: { lags: [1, 7] }, horizon: 20 })));
    const targets = numericValues(table, "sales").slice();
    // 300 rows, horizon 20: the last origin is row 280.
    targets.fill(1e6, 280);
    const changed = withColumn(table, number("sales", targets));
    const rows = sliceRows(table, 270);
    const before = await model.predict(rows);
    const after = await model.predict(rows, { history: changed });
    expect(after.predictions).toEqual(before.predictions);
    targets.fill(1e6, 279);
    const known = await model.predict(rows, { history: withColumn(table, number("sales", targets)) });
    expect(known.predictions).not.toEqual(before.predictions);
  });
});

describe("a model of rows without a timestamp", () => {
  const plain = (rows: number): FitInput => ({
    table: { rowCount: rows, columns: sales(rows).columns.filter(({ name }) => name !== "day") },
    target: "sales",
    timestamp: null,
    request: { hyperparameters: quick },
  });

  test("rejects a request without inputs", async () => {
    const request = { features: { inputs: false } };
    await expect(fitModel({ ...plain(60), request })).rejects.toThrow("the data has no timestamp");
  });

  test("validates on rows sampled by the seed and stores them as held-out rows", async () => {
    const fitted = await fitModel(plain(300));
    const model = await load(fitted);
    expect(model.heldOut!.rowCount).toBe(60);
    expect(model.history).toBeNull();
    const { validation } = await model.outOfSample();
    expect([...validation.actual]).toEqual([...numericValues(model.heldOut!, "sales")]);
    expect(fitted.summary.trainingMetrics.validation).toEqual(
      regressionMetrics(validation.actual, validation.predicted),
    );
    expect(fitted.summary.validation!.timestamps).toBeNull();
    expect(new Set(fitted.summary.validation!.rows).size).toBe(60);
  });
});

test("gives upstream predictions their own role, and does not require them in the input file", async () => {
  const table = sales(200);
  const sourceProjectId = "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f";
  const forecast = number(
    "visitors",
    numericValues(table, "sales").map((y, i) => y + (i % 5)),
  );
  const fitted = await fitModel({ ...series(table), upstream: [{ column: forecast, sourceProjectId }] });
  const feature = fitted.summary.inputFeatures.find(({ name }) => name === "visitors");
  expect(feature).toMatchObject({ role: "upstream", required: false, sourceProjectId });
  expect(fitted.summary.featureEngineering.steps).toContainEqual(
    expect.objectContaining({ op: "upstream", feature: "visitors" }),
  );
  const model = await load(fitted);
  expect(model.upstream).toEqual([{ feature: "visitors", sourceProjectId }]);
  expect((await model.predict(withColumn(table, forecast))).predictions).toHaveLength(200);
});

test("upstream.json lists the upstream features that the model reads: none for a forecast of the target alone", async () => {
  const table = sales(60);
  const values = Float64Array.from({ length: 60 }, (_, row) => Math.sin(row));
  const upstream = [
    { column: { name: "forecast", type: "number" as const, values }, sourceProjectId: crypto.randomUUID() },
  ];
  const request = { algorithm: "seasonal_naive" as const };
  const { files } = await fitModel({ ...series(table), upstream, request });
  expect(() => checkFiles(files)).not.toThrow();
});
