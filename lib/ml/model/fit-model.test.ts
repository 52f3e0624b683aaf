import { describe, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { numericValues, withColumn } from "#lib/ml/table/columns";
import { sliceRows, takeRows } from "#lib/ml/table/rows";
import { regressionMetrics } from "#lib/ml/train/metrics";
import { seededRandom } from "#lib/ml/train/seeded-random";
import { TrainingCancelled } from "#lib/ml/train/training-cancelled";
import { type FitInput, fitModel } from "./fit-model.ts";
import { InputInvalid, loadModel } from "./load-model.ts";
import type { FittedModel } from "./model-summary.ts";
import { TrainingImpossible } from "./training-impossible.ts";

const DAY = 86_400_000;
const START = Date.UTC(2022, 0, 1);
const quick = { rounds: 60, learningRate: 0.1 };

const number = (name: string, values: ArrayLike<number>): Column => ({
  name,
  type: "number",
  values: Float64Array.from(values),
});

/** Daily sales: a weekly rhythm, the weather, the kind of day, and noise. */
function sales(rows: number, seed = 1): Table {
  const random = seededRandom(seed);
  const temp = Float64Array.from({ length: rows }, (_, i) => 10 + 10 * Math.sin(i / 58) + 4 * random.next());
  const kinds = ["plain", "market", "fair"];
  const kind = Int32Array.from({ length: rows }, () => random.below(3));
  const y = temp.map((t, i) => 50 + 2 * t + (i % 7 < 2 ? 30 : 0) + 10 * kind[i]! + 3 * random.next());
  return {
    rowCount: rows,
    columns: [
      {
        name: "day",
        type: "timestamp",
        values: Float64Array.from({ length: rows }, (_, i) => START + i * DAY),
      },
      number("temp", temp),
      { name: "kind", type: "category", categories: kinds, codes: kind },
      {
        name: "open",
        type: "boolean",
        values: Float64Array.from({ length: rows }, (_, i) => (i % 3 === 0 ? 0 : 1)),
      },
      number("sales", y),
    ],
  };
}

const series = (table: Table, request: FitInput["request"] = {}): FitInput => ({
  table,
  target: "sales",
  timestamp: "day",
  request: { hyperparameters: quick, ...request },
});

const load = ({ files }: FittedModel) =>
  loadModel(async (name) => {
    const bytes = files.get(name);
    if (!bytes) throw new Error(`no file ${name}`);
    return bytes;
  });

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
    "stores the metrics of exactly what predict answers for the validation rows: %s",
    async (_, request) => {
      const table = sales(400);
      const fitted = await fitModel(series(table, request));
      const { summary } = fitted;
      expect(summary.trainingRows).toBe(320);
      const validation = sliceRows(table, summary.trainingRows);
      const model = await load(fitted);
      const { predictions } = await model.predict(validation);
      expect(summary.trainingMetrics.validation).toEqual(
        regressionMetrics(numericValues(validation, "sales"), predictions),
      );
      expect(summary.validation!.predicted).toEqual([...predictions]);
      expect(summary.primaryMetricValue).toBe(summary.trainingMetrics.validation!.rmse);

      // In another order, and alone, each row has the same bits.
      const order = [...Array(validation.rowCount).keys()].reverse();
      const reversed = await model.predict(takeRows(validation, order));
      expect([...reversed.predictions].reverse()).toEqual([...predictions]);
      for (const row of [0, 13, 79]) {
        const alone = await model.predict(sliceRows(validation, row, row + 1));
        expect(alone.predictions[0]).toBe(predictions[row]);
      }
      await model.release();
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
    expect(summary.leaderboard.filter(({ chosen }) => chosen)).toHaveLength(1);
    expect(new Set(summary.leaderboard.map(({ algorithm }) => algorithm))).toEqual(
      new Set(["seasonal_naive", "ridge", "elastic_net", "gradient_boosting", "baseline"]),
    );
  });

  test("gives the same bytes again for the same data and seed", async () => {
    const request = { algorithm: "gradient_boosting", seed: 7 } as const;
    const [one, two] = [
      await fitModel(series(sales(200), request)),
      await fitModel(series(sales(200), request)),
    ];
    expect([...one.files]).toEqual([...two.files]);
  });

  test("contributions are named after input features and add up to each prediction", async () => {
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
      await model.release();
    }
  });

  test("intervals hold the prediction and cover about nine tenths", async () => {
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
    await model.release();
  });

  test("an amount that was never negative is not predicted to be, and contributions add up all the same", async () => {
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
      await model.release();
    }
  });

  test("goes on after its end with its own predictions, and says where that is further than it was validated", async () => {
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
    await model.release();
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
    await model.release();
  });
});

describe("a model of rows without a timestamp", () => {
  const plain = (rows: number): FitInput => ({
    table: { rowCount: rows, columns: sales(rows).columns.filter(({ name }) => name !== "day") },
    target: "sales",
    timestamp: null,
    request: { hyperparameters: quick },
  });

  test("validates on rows drawn by the seed and keeps them as its held-out rows", async () => {
    const fitted = await fitModel(plain(300));
    const model = await load(fitted);
    expect(model.heldOut!.rowCount).toBe(60);
    expect(model.history).toBeNull();
    const { predictions } = await model.predict(model.heldOut!);
    expect(fitted.summary.trainingMetrics.validation).toEqual(
      regressionMetrics(numericValues(model.heldOut!, "sales"), predictions),
    );
    expect(fitted.summary.validation!.timestamps).toBeNull();
    expect(new Set(fitted.summary.validation!.rows).size).toBe(60);
    await model.release();
  });
});

describe("data that is small or poor", () => {
  test.each([24, 40, 120])("%i daily rows train", async (rows) => {
    const { summary, files } = await fitModel(series(sales(rows)));
    expect(summary.trainingMetrics.validation!.rmse).toBeTypeOf("number");
    expect(summary.horizon).toBeLessThanOrEqual(summary.validationRows);
    expect(files.has("history.bin")).toBe(true);
  });

  test("constant and empty columns are left out, missing values are imputed where training had them", async () => {
    const rows = 200;
    const table = sales(rows);
    const temp = numericValues(table, "temp").map((value, i) => (i % 9 === 0 ? Number.NaN : value));
    const poor: Table = {
      rowCount: rows,
      columns: [
        ...withColumn(table, number("temp", temp)).columns,
        number("constant", new Float64Array(rows).fill(3)),
        number("empty", new Float64Array(rows).fill(Number.NaN)),
      ],
    };
    for (const algorithm of ["gradient_boosting", "ridge"] as const) {
      const model = await load(await fitModel(series(poor, { algorithm })));
      expect(model.inputFeatures.map(({ name }) => name)).toEqual(["day", "temp", "kind", "open"]);
      expect(model.inputFeatures[1]).toMatchObject({ missingAllowed: true, missing: 18 });
      const { predictions } = await model.predict(poor);
      expect(predictions.every(Number.isFinite)).toBe(true);
      await model.release();
    }
  });

  test("columns with awkward names are columns like any other", async () => {
    const table = sales(120);
    const renamed: Table = {
      rowCount: table.rowCount,
      columns: table.columns.map((column) =>
        column.name === "temp" ? { ...column, name: "__proto__" } : column,
      ),
    };
    const model = await load(await fitModel(series(renamed)));
    expect(model.inputFeatures.map(({ name }) => name)).toContain("__proto__");
    const { contributions } = await model.predict(renamed, { include: { contributions: true } });
    expect(contributions!.features).toContain("__proto__");
    await model.release();
  });

  const without = (table: Table, name: string): Table => ({
    ...table,
    columns: table.columns.filter((column) => column.name !== name),
  });
  test.each([
    ["too few rows", { ...series(sales(9)) }, /9 rows .* at least 10/],
    ["no such target", { ...series(sales(50)), target: "profit" }, /no column "profit"/],
    ["a target of text", { ...series(sales(50)), target: "kind" }, /must hold numbers/],
    [
      "a constant target",
      series(withColumn(sales(50), number("sales", new Float64Array(50).fill(2)))),
      /same value/,
    ],
    ["no timestamp column", { ...series(sales(50)), timestamp: "when" }, /no timestamp column "when"/],
    [
      "nothing to learn from",
      {
        table: {
          rowCount: 50,
          columns: [
            number(
              "sales",
              Array.from({ length: 50 }, (_, i) => i),
            ),
          ],
        },
        target: "sales",
        timestamp: null,
      },
      /No input column/,
    ],
    [
      "lags without a series",
      {
        table: without(sales(50), "day"),
        target: "sales",
        timestamp: null,
        request: { features: { lags: [1] } },
      },
      /Lags .* no timestamp/,
    ],
    ["a lag that sees the present", series(sales(50), { features: { lags: [0] } }), /look back/],
  ] satisfies [string, FitInput, RegExp][])("says why it cannot train: %s", async (_, input, reason) => {
    await expect(fitModel(input)).rejects.toThrow(TrainingImpossible);
    await expect(fitModel(input)).rejects.toThrow(reason);
  });

  test("stops when it is told to", async () => {
    let asked = 0;
    const options = { shouldStop: () => ++asked > 5 };
    await expect(fitModel(series(sales(300)), options)).rejects.toThrow(TrainingCancelled);
  });
});

describe("checkInput", () => {
  test("names every fault of a table, and predict refuses it", async () => {
    const table = sales(120);
    const model = await load(await fitModel(series(table)));
    const rows = sliceRows(table, 0, 3);
    const wrong: Table = {
      rowCount: 3,
      columns: [
        { name: "day", type: "timestamp", values: Float64Array.of(START, Number.NaN, START) },
        { name: "Temp", type: "number", values: Float64Array.of(1, 2, 3) },
        { name: "kind", type: "category", categories: ["plain"], codes: Int32Array.of(0, -1, 0) },
        { name: "open", type: "number", values: Float64Array.of(0, 1, 2) },
      ],
    };
    const { faults, faultCount } = model.checkInput(wrong);
    expect(faultCount).toBe(4);
    expect(faults).toEqual([
      expect.objectContaining({ code: "missing_column", row: null, column: "temp" }),
      expect.objectContaining({ code: "missing_value", row: 2, column: "day" }),
      expect.objectContaining({ code: "missing_value", row: 2, column: "kind" }),
      expect.objectContaining({ code: "not_a_boolean", row: 3, column: "open", value: "2" }),
    ]);
    expect(faults[0]!.message).toContain('"Temp"');
    await expect(model.predict(wrong)).rejects.toThrow(InputInvalid);
    expect(model.checkInput(rows).faultCount).toBe(0);
    await model.release();
  });

  test("warns of other columns, unseen categories and values outside the training range, by feature", async () => {
    const table = sales(120);
    const model = await load(await fitModel(series(table)));
    const odd: Table = {
      rowCount: 2,
      columns: [
        { name: "day", type: "timestamp", values: Float64Array.of(START + 500 * DAY, START + 501 * DAY) },
        number("temp", [500, -500]),
        { name: "kind", type: "category", categories: ["plain", "circus"], codes: Int32Array.of(0, 1) },
        { name: "open", type: "boolean", values: Float64Array.of(0, 1) },
        number("extra", [1, 2]),
      ],
    };
    const { faultCount, warnings } = model.checkInput(odd);
    expect(faultCount).toBe(0);
    expect(warnings).toEqual([
      expect.objectContaining({ code: "outside_range", column: "temp", rows: 2 }),
      expect.objectContaining({ code: "unseen_category", column: "kind", rows: 1 }),
      expect.objectContaining({ code: "unknown_column", column: "extra" }),
    ]);
    await model.release();
  });

  test("reads numbers that came as text, and categories that came as numbers", async () => {
    const table = sales(120);
    const coded: Table = withColumn(table, {
      name: "kind",
      type: "category",
      categories: ["1", "2", "3"],
      codes: (table.columns[2] as Extract<Column, { type: "category" }>).codes,
    });
    const model = await load(await fitModel(series(coded)));
    const rows = sliceRows(coded, 0, 20);
    const { codes } = rows.columns[2] as Extract<Column, { type: "category" }>;
    const asNumbers = withColumn(
      rows,
      number(
        "kind",
        Float64Array.from(codes, (code) => code + 1),
      ),
    );
    const temps = [...numericValues(rows, "temp")];
    const asText = withColumn(asNumbers, {
      name: "temp",
      type: "category",
      categories: temps.map(String),
      codes: Int32Array.from(temps.keys()),
    });
    expect((await model.predict(asText)).predictions).toEqual((await model.predict(rows)).predictions);
    await model.release();
  });
});

test("upstream predictions are features of their own role, and need not be in the input file", async () => {
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
  await model.release();
});
