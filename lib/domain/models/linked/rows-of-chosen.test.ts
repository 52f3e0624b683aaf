import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { seriesKey } from "#lib/engine/panel/series-index";
import { rowsOfChosen } from "./rows-of-chosen.ts";

const table: Table = {
  rowCount: 6,
  columns: [
    { name: "at", type: "timestamp", values: Float64Array.of(1, 2, 1, 2, 3, 4) },
    { name: "store", type: "category", categories: ["A", "B"], codes: Int32Array.of(0, 0, 1, 1, 1, 1) },
    { name: "y", type: "number", values: Float64Array.of(10, 20, 1, 2, 3, Number.NaN) },
  ],
};
const names = { columns: ["store"], timestamp: "at", target: "y" };
const timesOf = (store: string, until: number) => {
  const rows = rowsOfChosen(table, names, { chosen: new Set([seriesKey([store])]), until });
  const [times] = rows.columns;
  return times!.type === "category" ? [] : [...times!.values];
};

test("keeps the rows of the chosen series until a time, and the newest row with a target of all series", () => {
  expect(timesOf("A", 4)).toEqual([1, 2, 3]);
  expect(timesOf("B", 4)).toEqual([1, 2, 3, 4]);
  expect(timesOf("A", 2)).toEqual([1, 2]);
  expect(timesOf("B", 2)).toEqual([1, 2, 2]);
});

test("keeps only the newest row for a series that is not known", () => {
  expect(timesOf("Z", 4)).toEqual([3]);
});
