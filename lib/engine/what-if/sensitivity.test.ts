import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { describeInput, type InputFeature } from "#lib/engine/inference/input-features";
import { numericValues } from "#lib/engine/table/columns";
import { countTrials, sensitivities } from "./sensitivity.ts";
import type { TriedRows } from "./tried-rows.ts";

const training: Table = {
  rowCount: 6,
  columns: [
    { name: "x", type: "number", values: Float64Array.of(0, 2, 4, 6, 8, 10) },
    { name: "y", type: "number", values: Float64Array.of(1, 1.5, 2, 2.5, 3, Number.NaN) },
    { name: "open", type: "boolean", values: Float64Array.of(0, 1, 1, 1, 1, 1) },
    { name: "sky", type: "category", categories: ["rain", "sun"], codes: Int32Array.of(1, 1, 1, 1, 0, -1) },
  ],
};
const inputs = training.columns.map(({ name }) =>
  describeInput(training, name, "input", { missingAllowed: true }),
);
const rows: TriedRows = {
  timestamp: "at",
  table: {
    rowCount: 4,
    columns: [
      { name: "at", type: "timestamp", values: Float64Array.of(0, 1, 2, 3) },
      { name: "x", type: "number", values: Float64Array.of(1, 2, 3, 4) },
      { name: "y", type: "number", values: Float64Array.of(2, 2, Number.NaN, 2) },
      { name: "open", type: "boolean", values: Float64Array.of(1, 1, 1, 1) },
      { name: "sky", type: "category", categories: ["sun"], codes: Int32Array.of(0, 0, 0, 0) },
    ],
  },
};

/** Predicts 3x + y, plus 5 when open, minus 7 in rain. A missing y counts as 0. */
const predict = async (table: Table) => {
  const sky = table.columns.find(({ name }) => name === "sky");
  const [x, y, open] = ["x", "y", "open"].map((name) => numericValues(table, name));
  return x!.map((value, row) => {
    const isRain = sky?.type === "category" && sky.categories[sky.codes[row]!] === "rain";
    return 3 * value + (y![row]! || 0) + 5 * open![row]! - (isRain ? 7 : 0);
  });
};
const tried = async (change: "percent" | "deviation" | "range", of = rows, features = inputs) => {
  const trials = { features, change, withCurves: true, training };
  const { mean, features: found } = await sensitivities(predict, of, trials);
  return { mean, found: new Map(found.map((one) => [one.feature.name, one])), order: found };
};
const differences = (one?: { effects: { meanDifference: number | null }[] }) =>
  one?.effects.map(({ meanDifference }) => meanDifference);

describe("sensitivities", () => {
  test("changes numbers by 10%, by one standard deviation, or to the range of the training data", async () => {
    const percent = await tried("percent");
    expect(percent.mean).toBe(7.5 + 1.5 + 5);
    expect(differences(percent.found.get("x"))).toEqual([expect.closeTo(-0.75), expect.closeTo(0.75)]);
    // The missing value of y stays missing.
    expect(differences(percent.found.get("y"))).toEqual([expect.closeTo(-0.15), expect.closeTo(0.15)]);
    const deviation = Math.sqrt(14);
    const by = differences((await tried("deviation")).found.get("x"));
    expect(by).toEqual([expect.closeTo(-3 * deviation), expect.closeTo(3 * deviation)]);
    const range = await tried("range");
    expect(differences(range.found.get("x"))).toEqual([expect.closeTo(-7.5), expect.closeTo(22.5)]);
    expect(range.found.get("x")!.effects.map(({ change }) => change)).toEqual([
      { feature: "x", operation: "set", value: 0 },
      { feature: "x", operation: "set", value: 10 },
    ]);
  });

  test("sets booleans and categories to each known value, with the number of training rows", async () => {
    const { found, order } = await tried("percent");
    expect(found.get("open")!.effects).toEqual([
      { change: { feature: "open", operation: "set", value: false }, meanDifference: -5, trainingRows: 1 },
      { change: { feature: "open", operation: "set", value: true }, meanDifference: 0, trainingRows: 5 },
    ]);
    expect(found.get("sky")!.effects).toEqual([
      { change: { feature: "sky", operation: "set", value: "sun" }, meanDifference: 0, trainingRows: 4 },
      { change: { feature: "sky", operation: "set", value: "rain" }, meanDifference: -7, trainingRows: 1 },
    ]);
    expect(order.map(({ feature }) => feature.name)).toEqual(["sky", "open", "x", "y"]);
  });

  test("sets numbers that are only 0 and 1 to both, for every kind of change", async () => {
    const withNumber = (table: Table): Table => ({
      ...table,
      columns: table.columns.map((column) =>
        column.type === "boolean" ? { ...column, type: "number" } : column,
      ),
    });
    const flags = withNumber(training);
    const numeric = { ...rows, table: withNumber(rows.table) };
    const open = describeInput(flags, "open", "input", { missingAllowed: true });
    for (const change of ["percent", "deviation", "range"] as const) {
      const trials = { features: [open], change, withCurves: false, training: flags };
      const { features } = await sensitivities(predict, numeric, trials);
      expect(differences(features[0])).toEqual([-5, 0]);
    }
  });

  test("draws response curves over the training data, at whole numbers if it has few, with the density", async () => {
    const { found } = await tried("percent");
    const { curve, density, values } = found.get("x")!;
    expect(curve!.values).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const [at, value] of curve!.values.entries())
      expect(curve!.means[at]).toBeCloseTo(3 * value + 6.5, 9);
    expect([density!.from, density!.to, density!.counts.length]).toEqual([0, 10, 40]);
    expect(density!.counts.reduce((sum, count) => sum + count, 0)).toBe(6);
    expect([density!.counts[0], density!.counts.at(-1)]).toEqual([1, 1]);
    expect(values).toEqual({ min: 1, max: 4, mean: 2.5 });
    expect(found.get("y")!.curve!.values.length).toBe(25);
    expect([found.get("sky")!.curve, found.get("sky")!.density]).toEqual([null, null]);
  });

  test("changes and measures only the rows of the span, and counts every prediction", async () => {
    const { mean, found } = await tried("percent", { ...rows, from: 1, to: 2 });
    expect(mean).toBe(7.5 + 1 + 5);
    expect(differences(found.get("y"))).toEqual([expect.closeTo(-0.1), expect.closeTo(0.1)]);
    let count = 0;
    const counting = (table: Table) => {
      count++;
      return predict(table);
    };
    const trials = { features: inputs, change: "range" as const, withCurves: true, training };
    await sensitivities(counting, rows, trials);
    expect(count).toBe(countTrials(trials));
  });

  test("has no effect for a deviation without training rows, and null for an overflow", async () => {
    const trials = { features: inputs, change: "deviation" as const, withCurves: true, training: null };
    const { features } = await sensitivities(predict, rows, trials);
    const x = features.find(({ feature }) => feature.name === "x")!;
    expect([x.effects, x.density]).toEqual([[], null]);
    const huge = { ...rows.table, columns: [...rows.table.columns] };
    huge.columns[1] = { name: "x", type: "number", values: new Float64Array(4).fill(Number.MAX_VALUE) };
    const over = await tried("percent", { ...rows, table: huge }, [inputs[0]!]);
    expect(differences(over.found.get("x"))?.at(-1)).toBeNull();
  });

  test("the effect in a linear model is coefficient × change, for any rows and range", async () => {
    const number = fc.double({ min: -1e3, max: 1e3, noNaN: true });
    await fc.assert(
      fc.asyncProperty(
        fc.array(number, { minLength: 1, maxLength: 8 }),
        fc.tuple(number, number, number),
        async (values, [slope, a, b]) => {
          const [min, max] = [Math.min(a, b), Math.max(a, b)];
          const feature: InputFeature = { ...inputs[0]!, min, max };
          const table: Table = {
            rowCount: values.length,
            columns: [{ name: "x", type: "number", values: Float64Array.from(values) }],
          };
          const linear = async (given: Table) => numericValues(given, "x").map((x) => slope * x);
          const trials = { features: [feature], change: "range" as const, withCurves: false, training: null };
          const { features } = await sensitivities(linear, { table, timestamp: null }, trials);
          const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
          const wanted = [...new Set([min, max])].map((end) => slope * (end - mean));
          differences(features[0])!.forEach((difference, at) => {
            expect(Math.abs(difference! - wanted[at]!)).toBeLessThan(1e-8 * (1 + Math.abs(slope) * 1e3));
          });
        },
      ),
    );
  });
});
