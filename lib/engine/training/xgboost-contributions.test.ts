import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { readXgboostJson, xgboostToOnnx } from "#lib/engine/onnx/xgboost-json";
import { importHere, openHere } from "#testing/import-here";

/** Answers of XGBoost 1.7.4, recorded by testing/xgboost-contributions.py. Null is a missing value. */
type Recorded = {
  name: string;
  model: { learner: { feature_names: string[] } };
  rows: (number | null)[][];
  predictions: number[];
  /** Per row, one value for each feature, then the bias. */
  contributions: number[][];
};
const file = new URL("../../../testing/xgboost-contributions.json.gz", import.meta.url);
const { models } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { models: Recorded[] };

async function explained({ model, rows }: Recorded) {
  const xgboost = readXgboostJson(new TextEncoder().encode(JSON.stringify(model)));
  const names = model.learner.feature_names;
  const { files } = await importHere({
    bytes: xgboostToOnnx(xgboost),
    missingAllowed: true,
    modelName: "XGBoost",
    target: "y",
    targetMetric: "rmse",
    // In another order than the model's.
    inputs: names.map((feature, index) => ({ feature, index })).toReversed(),
  });
  const opened = await openHere(files);
  const columns = names.map((name, index) => ({
    name,
    type: "number" as const,
    values: Float64Array.from(rows, (row) => row[index] ?? Number.NaN),
  }));
  const table: Table = { rowCount: rows.length, columns: columns.toSorted(() => -1) };
  const { predictions, contributions } = await opened.predict(table, { include: { contributions: true } });
  const { features, values, ...rest } = contributions!;
  const byFeature = values.map((row) => names.map((name) => row[features.indexOf(name)]!));
  return { ...rest, predictions: Array.from(predictions), values: byFeature };
}

/** XGBoost adds in float32, so that a small value carries the error of its row's largest. */
function expectEqual(actual: number[], expected: number[]) {
  const largest = Math.max(...expected.map(Math.abs));
  expected.forEach((value, index) => {
    expect(Math.abs(actual[index]! - value)).toBeLessThanOrEqual(1e-5 * largest);
  });
}

const named = (condition: (name: string) => boolean) => models.filter(({ name }) => condition(name));
const isLogistic = (name: string) => name.includes("logistic");

describe("contributions of an imported XGBoost model", () => {
  test("are compared for at least five models with missing values", () => {
    expect(models.length).toBeGreaterThanOrEqual(5);
    for (const { rows } of models) expect(rows.flat()).toContain(null);
  });

  test.each(named((name) => name !== "Poisson"))("equal pred_contribs: $name", async (recorded) => {
    const actual = await explained(recorded);
    const scale = isLogistic(recorded.name) ? "log_odds" : "prediction";
    expect(actual).toMatchObject({ method: "exact", scale });
    expectEqual(actual.predictions, recorded.predictions);
    recorded.contributions.forEach((expected, row) => {
      expectEqual([...actual.values[row]!], expected.slice(0, -1));
      expectEqual([actual.baseValue], expected.slice(-1));
    });
  });

  test.each(named(isLogistic))("add up to the log-odds of the prediction: $name", async (recorded) => {
    const { predictions, baseValue, values } = await explained(recorded);
    values.forEach((row, at) => {
      const sum = row.reduce((total, value) => total + value, baseValue);
      expect(1 / (1 + Math.exp(-sum))).toBeCloseTo(predictions[at]!, 6);
    });
  });

  test.each(named((name) => name === "Poisson"))(
    "share pred_contribs' proportions and add up to the prediction: $name",
    async (recorded) => {
      const { predictions, baseValue, scale, values } = await explained(recorded);
      expect(scale).toBe("prediction");
      recorded.contributions.forEach((expected, row) => {
        const logarithms = expected.slice(0, -1);
        const own = values[row]!;
        const total = own.reduce((sum, value) => sum + value, 0);
        expect(baseValue + total).toBeCloseTo(predictions[row]!, 9);
        const ratio = total / logarithms.reduce((sum, value) => sum + value, 0);
        expectEqual(
          own,
          logarithms.map((value) => value * ratio),
        );
      });
    },
  );
});
