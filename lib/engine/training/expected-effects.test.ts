import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { trainRidge } from "#lib/engine/learners/ridge";
import { dropColumns, numericValues, withColumn } from "#lib/engine/table/columns";
import { gaussian } from "#testing/gaussian";
import { promotedProduct } from "#testing/promoted-product";
import { load, number } from "#testing/sales-model";
import { fitModel } from "./fit-model.ts";

const sum = (values: ArrayLike<number>) => Array.from(values).reduce((total, value) => total + value, 0);

test("the model states the effect of each input, in per cent, beside its correlation", async () => {
  const { table, elasticity } = promotedProduct(3, 117);
  const { summary } = await fitModel({ table, target: "sales", timestamp: "week", request: { horizon: 13 } });
  const effects = new Map(summary.effects!.map((effect) => [effect.feature, effect]));
  expect([...effects.keys()]).toEqual(["price", "rival", "deal", "feature"]);
  const price = effects.get("price")!;
  expect(price).toMatchObject({
    change: { operation: "multiply", value: 1.1 },
    unit: "percent",
    expected: null,
    warning: null,
  });
  const truth = 100 * (1.1 ** elasticity - 1);
  expect(price.effect).toBeLessThan(-5);
  expect(Math.abs(price.effect - truth)).toBeLessThan(8);
  expect(price.upper).toBeLessThan(0);
  expect(price.lower!).toBeLessThan(price.effect);
  expect(price.correlation!).toBeLessThan(-0.3);
  expect(effects.get("deal")).toMatchObject({ change: { operation: "set", value: 1 }, unit: "percent" });
  expect(summary.predicts).toBe("mean");
});

/** Days on which a high season raises both the price and the sales. */
function confounded(rows: number): Table {
  const normal = gaussian(8);
  const season = Float64Array.from({ length: rows }, () => normal());
  const price = season.map((value) => 10 + value + 0.3 * normal());
  return {
    rowCount: rows,
    columns: [
      number("price", price),
      number(
        "other",
        season.map(() => normal()),
      ),
      number(
        "sales",
        season.map((value) => 100 + 10 * value + normal()),
      ),
    ],
  };
}

test.each([
  ["blend", { hyperparameters: { rounds: 30 } }],
  ["ridge", { algorithm: "ridge" }],
  ["trees", { algorithm: "gradient_boosting", hyperparameters: { rounds: 30 } }],
] satisfies [string, TrainModel][])(
  "keeps the stated sign in every row, and warns that the data contradict it: %s",
  async (_, request) => {
    const table = confounded(300);
    const input = { table, target: "sales", timestamp: null };
    const free = await fitModel({ ...input, request });
    expect(free.summary.effects![0]!.effect).toBeGreaterThan(0);
    const fitted = await fitModel({
      ...input,
      request: { ...request, expectedEffects: { price: "decreasing" } },
    });
    expect(fitted.summary.effects![0]).toMatchObject({
      feature: "price",
      expected: "decreasing",
      warning: "contradicts_expected",
    });
    const model = await load(fitted);
    const rows = dropColumns(table, ["sales"]);
    const { predictions } = await model.predict(rows);
    const dearer = numericValues(rows, "price").map((price) => price + 1);
    const raised = await model.predict(withColumn(rows, number("price", dearer)));
    raised.predictions.forEach((value, row) => {
      expect(value).toBeLessThanOrEqual(predictions[row]! + 1e-9);
    });
  },
);

test("ridge with signs is the best fit among those with the signs", () => {
  const normal = gaussian(4);
  const columns = [0, 1, 2].map(() => Float32Array.from({ length: 80 }, normal));
  const target = Float64Array.from(columns[0]!, (x, row) => 2 * x - 3 * columns[1]![row]! + normal());
  const free = trainRidge(columns, target, { alpha: 1 });
  expect([...trainRidge(columns, target, { alpha: 1, signs: [1, -1, 0] }).coefficients]).toEqual([
    ...free.coefficients,
  ]);
  const signed = trainRidge(columns, target, { alpha: 1, signs: [1, 1, 0] });
  expect(signed.coefficients[1]).toBe(0);
  // Without the excluded column, the others are those of a fit without it.
  const rest = trainRidge([columns[0]!, columns[2]!], target, { alpha: 1 });
  expect(signed.coefficients[0]).toBeCloseTo(rest.coefficients[0]!, 6);
  expect(signed.coefficients[2]).toBeCloseTo(rest.coefficients[1]!, 6);
  expect(sum(signed.means)).toBeCloseTo(sum(free.means), 9);
});
