import { describe, expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { checkFiles } from "#lib/engine/inference/check-files";
import { predictorOf } from "#lib/engine/inference/plain-model";
import { dropColumns, numericValues, withColumn } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { pack, unpack } from "#lib/engine/what-if/pack";
import { gaussian } from "#testing/gaussian";
import { promotedProduct } from "#testing/promoted-product";
import { load, number } from "#testing/sales-model";
import { fitModel } from "./fit-model.ts";

const WEEKS = 104;
const HORIZON = 13;
const sum = (values: ArrayLike<number>) => Array.from(values).reduce((total, value) => total + value, 0);

describe("a model of sales that respond in per cent", () => {
  test.each([1, 2, 3, 4])(
    "finds the price effect beside collinear columns, and explains its predictions: seed %i",
    async (seed) => {
      const { table, elasticity } = promotedProduct(seed, WEEKS + HORIZON);
      const fitted = await fitModel({
        table: sliceRows(table, 0, WEEKS),
        target: "sales",
        timestamp: "week",
        request: { horizon: HORIZON },
      });
      checkFiles(fitted.files);
      const model = await load(fitted);
      const inputs = dropColumns(sliceRows(table, WEEKS), ["sales"]);
      const { predictions, contributions } = await model.predict(inputs, {
        include: { contributions: true },
      });

      const dearer = numericValues(inputs, "price").map((price) => 1.1 * price);
      const raised = await model.predict(withColumn(inputs, number("price", dearer)));
      const effect = sum(raised.predictions) / sum(predictions) - 1;
      expect(effect).toBeLessThan(-0.02);
      expect(effect).toBeGreaterThan(-0.65);
      expect(Math.abs(effect - (1.1 ** elasticity - 1))).toBeLessThan(0.1);

      expect(contributions!.scale).toBe("prediction");
      contributions!.values.forEach((values, row) => {
        expect(sum(values) + contributions!.baseValue).toBeCloseTo(predictions[row]!, 8);
      });

      // The page's worker receives the model as packed plain data.
      const packed = pack(model.plain());
      const live = predictorOf(unpack(packed.buffer))!;
      expect([...(await live(inputs)).predictions]).toEqual([...predictions]);

      // Most members of the model respond in the same direction.
      const members = (await model.members())!;
      const [before, after] = [
        await members.predict(inputs, undefined),
        await members.predict(withColumn(inputs, number("price", dearer)), undefined),
      ];
      const falls = after.filter((values, member) => sum(values) < sum(before[member]!));
      expect(falls.length / after.length).toBeGreaterThan(0.8);
    },
  );
});

test.each([16, 20, 28])("finds price effects of a sensible size in %i weeks", async (weeks) => {
  const ratios: number[] = [];
  for (let seed = 1; seed <= 12; seed++) {
    const { table, elasticity } = promotedProduct(seed, weeks + 4);
    const learned = sliceRows(table, 0, weeks);
    const model = await load(await fitModel({ table: learned, target: "sales", timestamp: "week" }));
    const inputs = dropColumns(sliceRows(table, weeks), ["sales"]);
    const dearer = number(
      "price",
      numericValues(inputs, "price").map((price) => 1.1 * price),
    );
    const [before, after] = [await model.predict(inputs), await model.predict(withColumn(inputs, dearer))];
    const effect = sum(after.predictions) / sum(before.predictions) - 1;
    expect(effect).toBeLessThan(-0.02);
    expect(effect).toBeGreaterThan(-0.65);
    ratios.push(effect / (1.1 ** elasticity - 1));
  }
  const mean = sum(ratios) / ratios.length;
  expect(mean).toBeGreaterThan(0.7);
  expect(mean).toBeLessThan(1.3);
});

/** Rows whose target is log-normal given an input. */
function logNormal(rows: number, seed: number): Table {
  const normal = gaussian(seed);
  const x = Float64Array.from({ length: rows }, () => Math.exp(0.3 * normal()));
  const y = x.map((value) => 100 * value ** -2 * Math.exp(0.5 * normal()));
  return { rowCount: rows, columns: [number("x", x), number("y", y)] };
}

test.each([
  ["rmse", "means: the totals have no bias"],
  ["mae", "medians: half of the values lie above"],
] as const)("with the metric %s, predictions of a log-normal target are %s", async (targetMetric, _) => {
  const input = { target: "y", timestamp: null };
  const request = { targetMetric, hyperparameters: { rounds: 40 } };
  const model = await load(await fitModel({ ...input, table: logNormal(1_000, 1), request }));
  const fresh = logNormal(20_000, 2);
  const actual = numericValues(fresh, "y");
  const { predictions } = await model.predict(dropColumns(fresh, ["y"]));
  const above = actual.reduce((count, value, row) => count + (value > predictions[row]! ? 1 : 0), 0);
  if (targetMetric === "rmse") expect(Math.abs(sum(predictions) / sum(actual) - 1)).toBeLessThan(0.02);
  else expect(Math.abs(above / actual.length - 0.5)).toBeLessThan(0.03);
});

test("a positive series that falls by 5% a month does not become 0", async () => {
  const normal = gaussian(3);
  const rows = 72;
  const promo = Float64Array.from({ length: rows }, (_, i) => (i % 5 === 2 ? 1 : 0));
  const y = promo.map((on, i) => 1_000 * 0.95 ** i * (on ? 1.3 : 1) * Math.exp(0.05 * normal()));
  const months = Float64Array.from({ length: rows }, (_, i) => Date.UTC(2018, i, 1));
  const table: Table = {
    rowCount: rows,
    columns: [{ name: "month", type: "timestamp", values: months }, number("promo", promo), number("y", y)],
  };
  const model = await load(
    await fitModel({ table: sliceRows(table, 0, 60), target: "y", timestamp: "month", request: {} }),
  );
  const { predictions } = await model.predict(dropColumns(sliceRows(table, 60), ["y"]));
  predictions.forEach((value, i) => {
    expect(value / y[60 + i]!).toBeGreaterThan(0.6);
    expect(value / y[60 + i]!).toBeLessThan(1.6);
  });
});
