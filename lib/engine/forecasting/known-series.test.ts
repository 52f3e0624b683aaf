import { expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { onGrid } from "./generation.ts";
import { knownSeries } from "./known-series.ts";

const HOUR = 3_600_000;
const grid = { frequency: "PT1H", timezone: "UTC", start: 0 };
const hours = Float64Array.of(0, 1, 1.5, 2, 2.5);
/** Two rows fall into the second hour, and two into the third. */
const values = Float64Array.of(10, 20, Number.NaN, Number.NaN, 40);
const codes = Int32Array.of(10, 20, -1, -1, 40);

test("keeps the value of a cell if a later row of the cell has none", () => {
  const table: Table = {
    rowCount: 5,
    columns: [
      { name: "t", type: "timestamp", values: hours.map((hour) => hour * HOUR) },
      { name: "y", type: "number", values },
    ],
  };
  const { observed, rowAt, end } = knownSeries(table, { timestamp: "t", target: "y", grid });
  expect([...observed]).toEqual([10, 20, 40]);
  expect([...rowAt]).toEqual([0, 1, 4]);
  expect(end).toBe(3);
});

test.each<Column>([
  { name: "x", type: "number", values },
  { name: "x", type: "category", codes, categories: [] },
])("keeps the $type of an input's cell if a later row of the cell has none", (column) => {
  expect([...onGrid(column, hours.map(Math.floor), 0, 3)]).toEqual([10, 20, 40]);
});
