import fc from "fast-check";
import { expect, it } from "vitest";
import { categoryColumn } from "#testing/category-column";
import { indexSeries, rowsOfSeries, seriesKey, seriesText } from "./series-index.ts";

it("finds the series of each row, in the order of their first rows", () => {
  const table = {
    rowCount: 3,
    columns: [categoryColumn("store", ["A", "A", "A"]), categoryColumn("item", ["1", "2", "1"])],
  };
  expect(indexSeries(table, ["store", "item"])).toEqual({
    columns: ["store", "item"],
    values: [
      ["A", "1"],
      ["A", "2"],
    ],
    ofRow: Int32Array.of(0, 1, 0),
  });
});

it("gives each row the values that its columns hold, for every table", () => {
  const cell = fc.constantFrom("", "a", "b", "c");
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 60 }), (rows) => {
      const columns = [0, 1].map((at) =>
        categoryColumn(
          String(at),
          rows.map((row) => row[at]!),
        ),
      );
      const index = indexSeries({ rowCount: rows.length, columns }, ["0", "1"]);
      expect(Array.from(index.ofRow, (place) => index.values[place])).toEqual(rows);
      expect(new Set(index.values.map(seriesKey)).size).toBe(index.values.length);
      const grouped = rowsOfSeries(index);
      expect(grouped.flatMap((some) => [...some]).sort((a, b) => a - b)).toEqual(rows.map((_, row) => row));
    }),
  );
});

it("writes a series as the values of its columns", () => {
  expect(seriesText(["store", "item"], ["A", "7"])).toBe('store "A", item "7"');
});
