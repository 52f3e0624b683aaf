import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Column, Table } from "#lib/contract/table";
import { parseCsv } from "#lib/engine/csv/parse";
import { loadModel } from "#lib/engine/inference/load-model";
import { seriesSumWidth } from "#lib/engine/intervals/series-total";
import { etsFilter, fitEts } from "#lib/engine/series-methods/ets";
import { dropColumns, findColumn, numericValues } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { fitModel } from "#lib/engine/training/fit-model";
import { type Benchmark, mean } from "./harness.ts";

type Panel = {
  name: string;
  table: Table;
  target: string;
  timestamp: string;
  series: string[];
  /** Columns that totals are taken by; [] is the total over all series. */
  levels: string[][];
  horizon: number;
  season: number;
};

const FOLDER = "PANELS_DIR";
const TITLES = [
  "panel",
  "sums by",
  "ours",
  "ETS",
  "ETS of the sums",
  "ratio ± standard error",
  "coverage of 90%",
];

/**
 * Measures models of many series: errors of series and of totals beside exponential smoothing of each series, and coverage.
 */
export const panels: Benchmark = async function* ({ log }) {
  const folder = process.env[FOLDER];
  const known = folder ? [tourism(folder), retail(folder)].filter((panel) => panel !== null) : [];
  if (known.length === 0)
    yield { what: "public panels", skipped: `set ${FOLDER} to a folder with tourism.csv` };
  for (const panel of known) {
    const rows = await measure(panel);
    log(rows.map((row) => row.join("  ")).join("\n"));
    const title = "MASE beside exponential smoothing of each series, whose totals are bottom-up";
    yield { what: panel.name, table: { title, titles: TITLES, rows } };
  }
};

/** Trains before the last horizon, and returns the errors of series and of totals as rows of the table. */
async function measure(panel: Panel): Promise<string[][]> {
  const { name, table, target, timestamp, series, horizon, season } = panel;
  const times = numericValues(table, timestamp);
  const cut = [...new Set(times)].sort((a, b) => a - b).at(-horizon)!;
  const split = (isTest: boolean) =>
    takeRows(
      table,
      Int32Array.from(times.keys()).filter((row) => times[row]! >= cut === isTest),
    );
  const [training, test] = [split(false), split(true)];
  const { files } = await fitModel({ table: training, target, timestamp, series, request: { horizon } });
  const model = await loadModel(async (file) => files.get(file)!);
  const { predictions, intervals } = await model.predict(dropColumns(test, [target]), {
    include: { intervals: true },
  });
  const sumsOf = (some: Table, by: string[], values: Float64Array) =>
    sumsBy({ values, times: numericValues(some, timestamp), key: keyOf(some, by) });
  const etsOf = (known: Sums) =>
    new Map(
      [...known].map(([key, byTime]) => [key, etsAhead(Float64Array.from(byTime.values()), horizon, season)]),
    );
  // Exponential smoothing of each series, for each row of the test.
  const etsOfSeries = etsOf(sumsOf(training, series, numericValues(training, target)));
  const steps = new Map<string, number>();
  const keyOfSeries = keyOf(test, series);
  const ets = Float64Array.from({ length: test.rowCount }, (_, row) => {
    const step = steps.get(keyOfSeries(row)) ?? 0;
    steps.set(keyOfSeries(row), step + 1);
    return etsOfSeries.get(keyOfSeries(row))![step]!;
  });
  const actuals = numericValues(test, target);
  const widths = predictions.map((value, row) => intervals!.upper[row]! - value);
  return [...panel.levels, series].map((by) => {
    const known = sumsOf(training, by, numericValues(training, target));
    const actual = sumsOf(test, by, actuals);
    const masesOf = (predicted: (key: string) => Iterable<number>) =>
      [...known].flatMap(([key, byTime]) => {
        const past = [...byTime.values()];
        const scale = mean(past.slice(season).map((value, i) => Math.abs(value - past[i]!)));
        const ahead = [...predicted(key)];
        const errors = [...actual.get(key)!.values()].map((value, step) => Math.abs(value - ahead[step]!));
        return scale > 0 ? [mean(errors) / scale] : [];
      });
    const sumsAhead = (values: Float64Array) => {
      const sums = sumsOf(test, by, values);
      return (key: string) => sums.get(key)!.values();
    };
    const ours = masesOf(sumsAhead(predictions));
    const theirs = masesOf(sumsAhead(ets));
    const ofSums = etsOf(known);
    const own = masesOf((key) => ofSums.get(key)!);
    // Of sums of series: what their intervals cover. A series is the sum of itself.
    const shared = by === series ? 0 : (intervals!.shape?.sharedBySeries ?? 0);
    const [center, width, squares] = [predictions, widths, widths.map((value) => value ** 2)].map((values) =>
      sumsOf(test, by, values),
    );
    const inside = [...actual].flatMap(([key, byTime]) =>
      [...byTime].map(([time, value]) => {
        const sum = { widths: width!.get(key)!.get(time)!, squares: squares!.get(key)!.get(time)! };
        return Number(Math.abs(value - center!.get(key)!.get(time)!) <= seriesSumWidth(sum, shared));
      }),
    );
    return [
      name,
      by === series ? "series" : by.join(" × ") || "total",
      ...[ours, theirs, own].map((errors) => mean(errors).toFixed(3)),
      ratioOf(ours, theirs),
      `${(100 * mean(inside)).toFixed(1)}%`,
    ];
  });
}

/** Sums by group, then by time in ascending order. */
type Sums = Map<string, Map<number, number>>;

/** @param key returns the group of a row */
function sumsBy({
  values,
  times,
  key,
}: {
  values: Float64Array;
  times: Float64Array;
  key(row: number): string;
}): Sums {
  const sums: Sums = new Map();
  const inOrder = [...times.keys()].sort((a, b) => times[a]! - times[b]!);
  for (const row of inOrder) {
    const ofGroup = sums.get(key(row)) ?? new Map<number, number>();
    sums.set(key(row), ofGroup);
    ofGroup.set(times[row]!, (ofGroup.get(times[row]!) ?? 0) + values[row]!);
  }
  return sums;
}

/** Returns a function that names the group of a row by the values of columns. */
function keyOf(table: Table, by: readonly string[]): (row: number) => string {
  const columns = by.map((name) => findColumn(table, name) as Extract<Column, { type: "category" }>);
  return (row) => columns.map(({ codes, categories }) => categories[codes[row]!]).join("\0");
}

function etsAhead(learned: Float64Array, horizon: number, season: number): Float64Array {
  const fit = fitEts(learned, season);
  if (!fit) return new Float64Array(horizon);
  const filter = etsFilter(fit.parameters);
  for (const value of learned) filter.update(value);
  return filter.forecast(horizon).values;
}

/** Formats the ratio of two means with its standard error (delta method for paired errors). */
function ratioOf(ours: number[], ets: number[]): string {
  const ratio = mean(ours) / mean(ets);
  const squares = ours.map((value, i) => ((value - ratio * ets[i]!) / mean(ets)) ** 2);
  const error = ours.length > 1 ? ` ± ${Math.sqrt(mean(squares) / ours.length).toFixed(3)}` : "";
  return `${ratio.toFixed(3)}${error}`;
}

/** Reads Australian tourism: 304 quarterly series by region and purpose, 1998 to 2017 (tsibble, GPL-3). */
function tourism(folder: string): Panel | null {
  const file = path.join(folder, "tourism.csv");
  if (!existsSync(file)) return null;
  const { table } = parseCsv(readFileSync(file), { timestamp: "Quarter" });
  return {
    name: "tourism",
    table,
    target: "Trips",
    timestamp: "Quarter",
    series: ["Region", "Purpose"],
    levels: [[], ["State"], ["Purpose"], ["Region"]],
    horizon: 8,
    season: 4,
  };
}

/** Reads a sample of M5: eight products of one shop with prices and events, daily. */
function retail(folder: string): Panel | null {
  const file = path.join(folder, "m5_sales_exog_small.csv");
  if (!existsSync(file)) return null;
  const { table } = parseCsv(readFileSync(file), { timestamp: "ds" });
  return {
    name: "M5 sample",
    table,
    target: "y",
    timestamp: "ds",
    series: ["unique_id"],
    levels: [[]],
    horizon: 28,
    season: 7,
  };
}
