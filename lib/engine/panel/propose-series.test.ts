import fc from "fast-check";
import { expect, it } from "vitest";
import type { CategoryColumn, Column, NumericColumn } from "#lib/contract/table";
import { categoryColumn } from "#testing/category-column";
import { proposeSeries, seriesChoice } from "./propose-series.ts";

const numbers = (name: string, values: readonly number[]): NumericColumn => ({
  name,
  type: "number",
  values: Float64Array.from(values),
});

/** Rows of a grid of stores, items and days, in the given order of rows. */
function grid(
  stores: number,
  items: number,
  days: number,
  order: (rows: number[]) => number[] = (rows) => rows,
) {
  const rows = order(Array.from({ length: stores * items * days }, (_, row) => row));
  const day = (row: number) => row % days;
  const item = (row: number) => Math.floor(row / days) % items;
  const store = (row: number) => Math.floor(row / days / items);
  const columns: Column[] = [
    numbers(
      "store",
      rows.map((row) => store(row) + 1),
    ),
    categoryColumn(
      "item",
      rows.map((row) => `item ${item(row)}`),
    ),
    categoryColumn(
      "region",
      rows.map((row) => (store(row) % 2 ? "north" : "south")),
    ),
    numbers(
      "price",
      rows.map((row) => 1.5 + item(row) + (day(row) % 7) / 10),
    ),
    numbers(
      "promo",
      rows.map((row) => (row * 7919) % 2),
    ),
  ];
  return { columns, times: Float64Array.from(rows, day) };
}

it("finds the columns of a grid of series, however its rows are ordered", () => {
  const size = fc.integer({ min: 2, max: 6 });
  fc.assert(
    fc.property(size, size, fc.integer({ min: 8, max: 20 }), fc.integer(), (stores, items, days, seed) => {
      const shuffle = (rows: number[]) => rows.toSorted((a, b) => ((a * seed) % 97) - ((b * seed) % 97));
      const { columns, times } = grid(stores, items, days, shuffle);
      expect(proposeSeries(columns, times)).toEqual({ columns: ["store", "item"], count: stores * items });
    }),
  );
});

it("proposes as few columns as possible, and of these the fewest series", () => {
  const { columns, times } = grid(3, 4, 10);
  const store = columns[0] as NumericColumn;
  const item = columns[1] as CategoryColumn;
  const key = categoryColumn(
    "key",
    Array.from(times, (_, row) => `${store.values[row]} ${item.codes[row]}`),
  );
  expect(proposeSeries([...columns, key], times)).toEqual({ columns: ["key"], count: 12 });
});

it("proposes only combinations that have each time once, for every table", () => {
  const rows = fc.array(
    fc.record({
      a: fc.integer({ min: 0, max: 3 }),
      b: fc.constantFrom("x", "y", "z"),
      at: fc.integer({ min: 0, max: 5 }),
    }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(rows, (some) => {
      const columns = [
        numbers(
          "a",
          some.map(({ a }) => a),
        ),
        categoryColumn(
          "b",
          some.map(({ b }) => b),
        ),
      ];
      const found = proposeSeries(
        columns,
        Float64Array.from(some, ({ at }) => at),
      );
      if (found === null) return;
      const key = (row: (typeof some)[number]) => found.columns.map((name) => row[name as "a" | "b"]).join();
      expect(new Set(some.map((row) => `${key(row)} ${row.at}`)).size).toBe(some.length);
      expect(new Set(some.map(key)).size).toBe(found.count);
    }),
  );
});

it("proposes nothing for a few repeated times, rows with identifiers, and rows that no column divides", () => {
  const repeated = Float64Array.from({ length: 50 }, (_, row) => Math.min(row, 48));
  const weather = categoryColumn(
    "weather",
    Array.from(repeated, (_, row) => ["sun", "rain"][row % 2]!),
  );
  expect(proposeSeries([weather], repeated)).toBeNull();
  const { columns, times } = grid(3, 4, 10);
  const rows = numbers(
    "id",
    Array.from(times, (_, row) => row),
  );
  expect(proposeSeries([rows], times)).toBeNull();
  expect(proposeSeries(columns.slice(2), times)).toBeNull();
  expect(proposeSeries([], times)).toBeNull();
});

it("writes the choice with its number of series", () => {
  expect(seriesChoice({ columns: ["store", "item"], count: 1_050 })).toEqual({
    label: "1,050 series by store and item",
    options: { series: ["store", "item"] },
    cells: [],
  });
  expect(seriesChoice({ columns: ["a", "b", "c"], count: 5 }).label).toBe("5 series by a, b and c");
});
