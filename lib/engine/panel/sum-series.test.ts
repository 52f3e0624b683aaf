import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { categoryColumn } from "#testing/category-column";
import { chooseSeries, groupSeries, rankGroups } from "./group-series.ts";
import { type PanelRows, panelRows } from "./panel-rows.ts";
import { asGroup, chosenTimes, rowsOfGroups, sumGroups, sumSeries } from "./sum-series.ts";
import { TimeSums } from "./time-sums.ts";

type Row = { store: string; item: string; time: number; value: number };

/** The region of a store is its level. */
const regionOf = (store: string) => (store < "C" ? "south" : "north");

function panelOf(rows: readonly Row[]): PanelRows {
  const column = (name: string, textOf: (row: Row) => string) => categoryColumn(name, rows.map(textOf));
  const columns = [
    column("store", ({ store }) => store),
    column("item", ({ item }) => item),
    column("region", ({ store }) => regionOf(store)),
  ];
  const times = Float64Array.from(rows, ({ time }) => time);
  return panelRows({ rowCount: rows.length, columns }, times, {
    columns: ["store", "item"],
    levels: ["region"],
  });
}

const row = fc.record({
  store: fc.constantFrom("A", "B", "C", "D"),
  item: fc.constantFrom("1", "2", "3"),
  time: fc.integer({ min: 0, max: 9 }),
  value: fc.oneof(
    fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
    fc.constantFrom(1e16, -1e16, 0.1, Number.NaN),
  ),
});
/** Each series has a time at most once. */
const rows = fc.uniqueArray(row, {
  selector: ({ store, item, time }) => `${store} ${item} ${time}`,
  maxLength: 120,
});
const valuesOf = (some: readonly Row[]) => Float64Array.from(some, ({ value }) => value);
const sumOf = (values: Iterable<number>) => {
  let sum = 0;
  for (const value of values) if (!Number.isNaN(value)) sum += value;
  return sum;
};
const sizeOf = (some: readonly Row[]) => some.reduce((sum, { value }) => sum + (Math.abs(value) || 0), 0);

describe("sumSeries", () => {
  it("adds the values of all series at each time", () => {
    const some: Row[] = [
      { store: "A", item: "1", time: 5, value: 1 },
      { store: "A", item: "1", time: 7, value: 2 },
      { store: "B", item: "1", time: 7, value: 10 },
      { store: "B", item: "1", time: 9, value: Number.NaN },
    ];
    expect(sumSeries(panelOf(some), valuesOf(some), null)).toEqual({
      timestamps: Float64Array.of(5, 7, 9),
      prediction: Float64Array.of(1, 12, Number.NaN),
    });
  });

  it("returns totals that equal the sums of their groups and of their rows, for every panel and choice", () => {
    const by = fc.subarray(["store", "item", "region"], { minLength: 1 });
    const stores = fc.option(fc.subarray(["A", "B", "C", "D"], { minLength: 1 }), { nil: null });
    fc.assert(
      fc.property(rows, by, stores, (some, columns, accepted) => {
        const panel = panelOf(some);
        const values = valuesOf(some);
        const where = accepted === null ? [] : [{ column: "store", values: accepted }];
        const chosen = chooseSeries(panel, { series: null, where });
        const kept = some.filter(({ store }) => accepted === null || accepted.includes(store));
        const total = sumSeries(panel, values, chosen);
        expect([...total.timestamps]).toEqual(
          [...new Set(kept.map(({ time }) => time))].sort((a, b) => a - b),
        );
        const sums = new TimeSums();
        const keptValues = valuesOf(kept);
        const half = Math.floor(kept.length / 2);
        const keptTimes = Float64Array.from(kept, ({ time }) => time);
        sums.add(keptTimes.subarray(0, half), keptValues.subarray(0, half));
        sums.add(keptTimes.subarray(half), keptValues.subarray(half));
        expect(sums.values).toEqual(total.prediction);
        const groups = groupSeries([{ panel, chosen }], columns);
        const parts = sumGroups(panel, values, groups.groupOf[0]!, {
          count: groups.values.length,
          places: chosenTimes(panel, chosen),
        });
        total.timestamps.forEach((time, at) => {
          const here = kept.filter((one) => one.time === time);
          const allowed = 1e-12 * sizeOf(here);
          const shown = total.prediction[at]!;
          expect(Number.isNaN(shown)).toBe(here.every(({ value }) => Number.isNaN(value)));
          const ofGroups = sumOf(parts.map((part) => part[at]!));
          expect(Math.abs(sumOf([shown]) - ofGroups)).toBeLessThanOrEqual(allowed);
          expect(Math.abs(sumOf([shown]) - sumOf(here.map(({ value }) => value)))).toBeLessThanOrEqual(
            allowed,
          );
        });
      }),
      { numRuns: 100 },
    );
  });
});

describe("groupSeries", () => {
  it("gives series of several panels with the same values the same group", () => {
    const one = panelOf([{ store: "A", item: "1", time: 0, value: 1 }]);
    const other = panelOf([
      { store: "D", item: "1", time: 0, value: 1 },
      { store: "B", item: "2", time: 0, value: 1 },
    ]);
    const panels = [one, other].map((panel) => ({ panel, chosen: null }));
    expect(groupSeries(panels, ["region"])).toEqual({
      values: [["south"], ["north"]],
      groupOf: [Int32Array.of(0), Int32Array.of(1, 0)],
      sizes: Int32Array.of(2, 1),
    });
  });

  it("ranks by the absolute total, then by the values", () => {
    const values = [["b"], ["a"], ["c"], ["d"]];
    expect([...rankGroups(values, [3, -3, 9, Number.NaN])]).toEqual([2, 1, 0, 3]);
  });
});

it("finds the rows of groups of one series", () => {
  const panel = panelOf([
    { store: "B", item: "1", time: 2, value: 1 },
    { store: "A", item: "1", time: 1, value: 1 },
    { store: "B", item: "1", time: 1, value: 1 },
  ]);
  const places = chosenTimes(panel, null);
  expect(rowsOfGroups(panel, Int32Array.of(1, 0), { count: 2, places })).toEqual([
    Int32Array.of(1, -1),
    Int32Array.of(2, 0),
  ]);
  expect(rowsOfGroups(panel, asGroup(panel, null), { count: 1, places })).toEqual([Int32Array.of(-1, -1)]);
});

it("chooses series by their keys and by columns that restrict each other", () => {
  const panel = panelOf(
    ["A1", "A2", "B1", "C1"].map((name) => ({ store: name[0]!, item: name[1]!, time: 0, value: 1 })),
  );
  const chosen = (series: string[] | null, where: Record<string, string[]>) =>
    chooseSeries(panel, {
      series: series && new Set(series.map((name) => JSON.stringify([name[0], name[1]]))),
      where: Object.entries(where).map(([column, values]) => ({ column, values })),
    });
  expect(chosen(null, {})).toBeNull();
  expect([...chosen(["A2", "C1"], {})!]).toEqual([0, 1, 0, 1]);
  expect([...chosen(null, { store: ["A", "C"], item: ["1"] })!]).toEqual([1, 0, 0, 1]);
  expect([...chosen(["A1"], { region: ["north"] })!]).toEqual([0, 0, 0, 0]);
});
