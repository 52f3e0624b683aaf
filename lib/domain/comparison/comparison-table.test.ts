import fc from "fast-check";
import { expect, test } from "vitest";
import type { KnownTarget } from "#lib/domain/actuals/actuals-of";
import type { StoredSeries } from "#lib/domain/scenarios/chunks/read-predictions";
import type { Rows } from "#lib/domain/scenarios/chunks/read-series";
import { writeCsv } from "#lib/engine/csv/write-csv";
import { gather } from "#lib/engine/series/align";
import { cutAxis } from "#lib/engine/series/cut-axis";
import { csvOfWholeSeries } from "#testing/compared-csv";
import { comparedStretches } from "./compared-stretches.ts";
import { comparisonTable, distinct } from "./comparison-table.ts";
import { cutCompared } from "./cut-compared.ts";

type Described = { times: number[]; lower: boolean; upper: boolean };
type Window = { from?: number; to?: number };

function storedSeries({ times, lower, upper }: Described, index: number, isTimed: boolean): StoredSeries {
  const prediction = Float64Array.from(times, (time, row) =>
    row % 5 === 4 ? Number.NaN : time + row / (index + 3),
  );
  const bound = (by: number) => prediction.map((value) => value + by);
  return {
    timestamps: isTimed ? Float64Array.from(times) : null,
    prediction,
    lower: lower ? bound(-1) : null,
    upper: upper ? bound(1) : null,
  };
}

const written = (all: readonly StoredSeries[]) =>
  all.map(({ lower, upper }, index) => ({
    scenarioId: `s${index}`,
    title: index % 2 ? "Plan" : "Other",
    has: { lower: lower !== null, upper: upper !== null },
    shape: null,
  }));

/** Numbers repeated titles. */
const titled = (all: readonly StoredSeries[]) =>
  all.map((one, index) => ({ ...one, title: ["Other", "Plan", "Other (2)", "Plan (2)"][index]! }));

const alignable = (all: readonly StoredSeries[]) =>
  all.map(({ prediction, timestamps }) => ({ rowCount: prediction.length, timestamps }));

function readFrom(all: readonly StoredSeries[]) {
  return async (scenario: number, rows: Rows | Int32Array, isTimed: boolean): Promise<StoredSeries> => {
    const at = (values: Float64Array) =>
      rows instanceof Int32Array ? gather(values, rows) : values.slice(rows.from, rows.to);
    const { timestamps, prediction, lower, upper } = all[scenario]!;
    return {
      timestamps: isTimed ? timestamps && at(timestamps) : null,
      prediction: at(prediction),
      lower: lower && at(lower),
      upper: upper && at(upper),
    };
  };
}

async function textOf(pieces: AsyncGenerator<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

async function inStretches(
  all: readonly StoredSeries[],
  window: Window,
  known: KnownTarget | null,
  points: number,
): Promise<string> {
  const series = alignable(all);
  const { hasActuals } = await cutCompared({ series, window, actuals: known });
  const axis = { ...cutAxis(series, window, points), hasActuals };
  const stretches = comparedStretches(axis, hasActuals ? known : null, readFrom(all));
  return textOf(writeCsv(comparisonTable(written(all), "s0", axis, stretches)));
}

const knownAt = (times: number[]): KnownTarget => ({
  known: {
    rowCount: times.length,
    columns: [
      { name: "t", type: "timestamp", values: Float64Array.from(times) },
      { name: "y", type: "number", values: Float64Array.from(times, (time) => time / 2) },
    ],
  },
  timestamp: "t",
  target: "y",
  grid: null,
});

const time = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 40 }) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
);
const ascending = fc
  .array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 20 })
  .map((times) => times.toSorted((a, b) => a - b));
const described = fc.record({
  times: fc.oneof(
    ascending,
    fc.constant<number[]>([1, 2, 2, 5, 8, 13]),
    fc.array(time, { minLength: 1, maxLength: 20 }),
  ),
  lower: fc.boolean(),
  upper: fc.boolean(),
});
const end = fc.option(fc.integer({ min: -1, max: 45 }), { nil: undefined });

test("numbers repeated titles so that all differ, and keeps the first of each", () => {
  const titles = fc.array(fc.constantFrom("a", "b", "a (2)", "a (3)", "a (2) (2)"), { maxLength: 12 });
  fc.assert(
    fc.property(titles, (given) => {
      const numbered = distinct(given);
      expect(new Set(numbered).size).toBe(given.length);
      for (const title of new Set(given)) expect(numbered[given.indexOf(title)]).toBe(title);
    }),
  );
});

test("a file written in stretches equals the file of the complete series", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(described, { minLength: 2, maxLength: 4 }),
      fc.boolean(),
      fc.tuple(end, end),
      fc.option(ascending.map(knownAt)),
      fc.integer({ min: 1, max: 9 }),
      async (all, isTimed, [from, to], known, points) => {
        const series = all.map((one, index) => storedSeries(one, index, isTimed));
        const window = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
        const actuals = isTimed ? known : null;
        expect(await inStretches(series, window, actuals, points)).toBe(
          csvOfWholeSeries(titled(series), window, actuals),
        );
      },
    ),
    { numRuns: 1_000 },
  );
});

test("each point has a line with predictions, bounds and differences, empty where a scenario has no row", async () => {
  const nothing = { lower: null, upper: null };
  const series: StoredSeries[] = [
    {
      ...nothing,
      timestamps: Float64Array.of(1, 2, 3),
      prediction: Float64Array.of(2, 4, 6),
      lower: Float64Array.of(1, 3, 5),
    },
    {
      ...nothing,
      timestamps: Float64Array.of(2, 3, 4),
      prediction: Float64Array.of(4, 6.5, 8),
      upper: Float64Array.of(5, 7, 9),
    },
  ];
  const text = await inStretches(series, {}, knownAt([3]), 2);
  expect(text.split("\r\n")).toEqual([
    "timestamp,Other,Other lower,Plan,Plan upper,Plan difference,actual",
    "1970-01-01T00:00:00.001Z,2,1,,,,",
    "1970-01-01T00:00:00.002Z,4,3,4,5,0,",
    "1970-01-01T00:00:00.003Z,6,5,6.5,7,0.5,1.5",
    "1970-01-01T00:00:00.004Z,,,8,9,,",
    "",
  ]);
});

test("numbers titles that equal another column", async () => {
  const has = { lower: true, upper: true };
  const scenarios = ["Base", "Base lower", "row"].map((title, index) => ({
    scenarioId: `s${index}`,
    title,
    has,
    shape: null,
  }));
  async function* nothing() {}
  const csv = comparisonTable(scenarios, "s0", { isTimed: false, hasActuals: false }, nothing());
  const names = (await textOf(writeCsv(csv))).trim().split(",");
  expect(new Set(names).size).toBe(names.length);
  expect(names.slice(0, 5)).toEqual(["row", "Base", "Base lower", "Base upper", "Base lower (2)"]);
});
