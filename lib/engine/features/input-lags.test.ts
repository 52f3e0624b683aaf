import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { findColumn, numericValues } from "#lib/engine/table/columns";
import { inputReach, withInputLags } from "./input-lags.ts";
import { columnOf, type FeaturePipeline, type LaggedStep } from "./pipeline.ts";

const DAY = 86_400_000;
const rows = (days: number[], x: number[]): Table => ({
  rowCount: days.length,
  columns: [
    { name: "t", type: "timestamp", values: Float64Array.from(days, (day) => DAY * day) },
    { name: "x", type: "number", values: Float64Array.from(x) },
  ],
});
const stepOf = (past: LaggedStep["past"]): LaggedStep => ({ op: "number", feature: "x", past, scale: 1 });
const pipelineOf = (...steps: LaggedStep[]): FeaturePipeline => ({
  version: 4,
  target: "y",
  timestamp: "t",
  timezone: "UTC",
  steps,
  grid: { frequency: "P1D", timezone: "UTC", start: 0 },
});
/** Days 0 to 3; day 2 has no row. */
const known = { table: rows([0, 1, 3], [1, 2, 4]), firstIndex: 0, rowAt: Int32Array.of(0, 1, -1, 2) };

function lagged(past: LaggedStep["past"], table: Table): number[] {
  const step = stepOf(past);
  return [...numericValues(withInputLags(pipelineOf(step), table, known), columnOf(step))];
}

test("an earlier value comes from the table, or else from the known rows, or from the newest before a gap", () => {
  expect(lagged({ steps: 1 }, rows([4, 5], [5, 6]))).toEqual([4, 5]);
  expect(lagged({ steps: 2 }, rows([4, 5], [5, 6]))).toEqual([2, 4]);
  // A row of the table replaces the known one.
  expect(lagged({ steps: 1 }, rows([3, 4], [40, 5]))).toEqual([2, 40]);
});

test("a value before all rows is the row's own", () => {
  expect(lagged({ steps: 2 }, rows([0, 1], [7, 8]))).toEqual([7, 8]);
});

test("a decaying mean weighs each value by its age, and stays at a constant", () => {
  const [mean] = lagged({ decay: 0.5 }, rows([4], [5]));
  // 5, 4, the gap counts as 2, 2, 1, and 5 before all rows.
  const weights = Array.from(
    { length: inputReach(pipelineOf(stepOf({ decay: 0.5 }))) + 1 },
    (_, i) => 0.5 ** i,
  );
  const values = weights.map((_, back) => [5, 4, 2, 2, 1][back] ?? 5);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  expect(mean).toBeCloseTo(values.reduce((sum, value, i) => sum + value * weights[i]!, 0) / total, 12);
});

test("rows in any order and rows alone have the same values", () => {
  const [four, five] = lagged({ steps: 1 }, rows([4, 5], [4, 6]));
  expect(lagged({ steps: 1 }, rows([5, 4], [6, 4]))).toEqual([five, four]);
});

test("a table for a pipeline without lags is unchanged", () => {
  const table = rows([4], [5]);
  expect(withInputLags({ ...pipelineOf(), steps: [] }, table, known)).toBe(table);
  expect(findColumn(table, columnOf(stepOf({ steps: 1 })))).toBeUndefined();
});
