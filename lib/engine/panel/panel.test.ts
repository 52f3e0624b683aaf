import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CategoryColumn, Table } from "#lib/contract/table";
import { IssueList } from "#lib/engine/csv/issues";
import { takeRows } from "#lib/engine/table/rows";
import { describeSeries } from "./describe-series.ts";
import { distinctTimes, panelOf, timesOfSeries } from "./panel.ts";
import { findPanelFrequency } from "./panel-frequency.ts";
import { compareValues, findRepeatedTimes, orderPanel } from "./panel-order.ts";
import { rowsOfTimes } from "./rows-of-times.ts";
import { indexSeries } from "./series-index.ts";

const DAY_MS = 86_400_000;
const category = (name: string, values: readonly string[]): CategoryColumn => {
  const categories = [...new Set(values)].filter((value) => value !== "");
  return {
    name,
    type: "category",
    codes: Int32Array.from(values, (value) => categories.indexOf(value)),
    categories,
  };
};
type Row = { store: string; day: number; y?: number; region?: string; holiday?: string };
const tableOf = (rows: readonly Row[]): Table => ({
  rowCount: rows.length,
  columns: [
    { name: "day", type: "timestamp", values: Float64Array.from(rows, ({ day }) => day * DAY_MS) },
    category(
      "store",
      rows.map(({ store }) => store),
    ),
    category(
      "region",
      rows.map(({ region = "" }) => region),
    ),
    category(
      "holiday",
      rows.map(({ holiday = "" }) => holiday),
    ),
    { name: "y", type: "number", values: Float64Array.from(rows, ({ y = 1 }) => y) },
  ],
});
const panelOfRows = (rows: readonly Row[]) => panelOf(tableOf(rows), ["store"], "day");
const daysOf = (store: string, days: readonly number[], more: object = {}): Row[] =>
  days.map((day) => ({ store, day, ...more }));
const range = (count: number, step = 1, from = 0) =>
  Array.from({ length: count }, (_, at) => from + at * step);
const frequencyOf = (rows: readonly Row[]) => {
  const panel = panelOfRows(rows);
  const options = { calendar: null, resample: null };
  return findPanelFrequency(timesOfSeries(panel), distinctTimes(panel.times), "UTC", options);
};

describe("orderPanel", () => {
  it("orders shuffled rows by series and time, and always to the same rows", () => {
    const rows = ["10", "9", "A", "B"].flatMap((store) => daysOf(store, range(5)));
    const sorted = (some: readonly Row[]) => {
      const table = tableOf(some);
      const index = indexSeries(table, ["store"]);
      const { order } = orderPanel(
        index,
        Float64Array.from(some, ({ day }) => day * DAY_MS),
      );
      return some.map((_, at) => some[order === null ? at : order[at]!]);
    };
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
        expect(sorted(shuffled)).toEqual(sorted(rows));
      }),
    );
    expect([...new Set(sorted(rows).map((row) => row!.store))]).toEqual(["9", "10", "A", "B"]);
  });

  it("finds each repeated time of a series, and none across series", () => {
    const row = fc.record({ store: fc.constantFrom("A", "B"), day: fc.integer({ min: 0, max: 6 }) });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        const index = indexSeries(tableOf(rows), ["store"]);
        const times = Float64Array.from(rows, ({ day }) => day * DAY_MS);
        const issues = new IssueList();
        findRepeatedTimes(index, { times, column: "day", order: orderPanel(index, times).order }, issues);
        expect(issues.count).toBe(rows.length - new Set(rows.map(({ store, day }) => `${store}${day}`)).size);
      }),
    );
  });

  it("compares values in a total order", () => {
    const value = fc.oneof(fc.constantFrom("2", "10", "2.0", "-1", "a", "10a", ""), fc.string());
    fc.assert(
      fc.property(value, value, value, (one, other, third) => {
        const [a, b, c] = [[one], [other], [third]];
        expect(Math.sign(compareValues(a, b)) + Math.sign(compareValues(b, a))).toBe(0);
        if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0)
          expect(compareValues(a, c)).not.toBeGreaterThan(0);
        expect(compareValues(a, b) === 0).toBe(one === other);
      }),
    );
  });
});

describe("findPanelFrequency", () => {
  it("finds the step that the series share, with gaps and short series", () => {
    const rows = [
      ...daysOf("A", range(40)),
      ...daysOf("B", [3, 7, 20]),
      ...daysOf(
        "C",
        range(30).filter((d) => d % 5),
      ),
    ];
    expect(frequencyOf(rows)).toEqual({ frequency: "P1D", others: [], shifted: [] });
  });

  it("finds the step of many short series from all their times", () => {
    const rows = range(20).flatMap((at) => daysOf(`S${at}`, [at, at + 1]));
    expect(frequencyOf(rows).frequency).toBe("P1D");
  });

  it("names a series with another step", () => {
    const rows = [...daysOf("A", range(40)), ...daysOf("B", range(12, 7)), ...daysOf("C", range(40))];
    expect(frequencyOf(rows)).toMatchObject({ frequency: "P1D", others: [{ place: 1, frequency: "P7D" }] });
  });

  it("names the series whose weeks begin on another day than most", () => {
    const rows = [
      ...daysOf("A", range(30, 7)),
      ...daysOf("B", range(31, 7, 2)),
      ...daysOf("C", range(30, 7)),
    ];
    expect(frequencyOf(rows)).toEqual({ frequency: "P7D", others: [], shifted: [1] });
  });

  it("reads a series without weekends as one of days", () => {
    const rows = [
      ...daysOf("A", range(60)),
      ...daysOf(
        "B",
        range(60).filter((day) => (day + 3) % 7 < 5),
      ),
    ];
    expect(frequencyOf(rows)).toEqual({ frequency: "P1D", others: [], shifted: [] });
  });
});

it("describes the levels, lengths and ends of the series", () => {
  const rows = [
    ...daysOf("A", range(60), { region: "north" }),
    ...daysOf("B", range(20), { region: "north" }),
    ...daysOf("C", range(5, 1, 55), { region: "south" }),
  ];
  const panel = panelOfRows(rows);
  const grid = { frequency: "P1D", timezone: "UTC", start: 0 };
  const inputs = ["store", "region", "holiday"];
  expect(describeSeries(panel, { target: "y", grid, inputs })).toEqual({
    description: {
      columns: ["store"],
      count: 3,
      levels: [
        { name: "Total", columns: [], count: 1, within: [] },
        { name: "region", columns: ["region"], count: 2, within: [] },
        { name: "store", columns: ["store"], count: 3, within: ["region"] },
      ],
      minRows: 5,
      maxRows: 60,
      ended: 1,
      short: 1,
    },
    ended: [1],
    short: [2],
  });
});

it("takes one row of each time, with the columns that depend on the time alone", () => {
  const rows = ["A", "B"].flatMap((store) =>
    range(4).map((day) => ({ store, day, y: 2, holiday: String(day % 2) })),
  );
  const table = tableOf(rows);
  const found = rowsOfTimes(
    table,
    Float64Array.from(rows, ({ day }) => day * DAY_MS),
  );
  expect(found.columns.map(({ name }) => name)).toEqual(["day", "region", "holiday", "y"]);
  expect(found).toEqual({ ...takeRows({ ...table, columns: found.columns }, [0, 1, 2, 3]) });
});
