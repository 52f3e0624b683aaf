import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Column, Table } from "#lib/contract/table";
import { parseCsv } from "#lib/engine/csv/parse";
import { loadModel } from "#lib/engine/inference/load-model";
import { seriesSumWidth } from "#lib/engine/intervals/series-total";
import { indexSeries, rowsOfSeries } from "#lib/engine/panel/series-index";
import { etsFilter, fitEts } from "#lib/engine/series-methods/ets";
import { dropColumns, findColumn, numericValues } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { fitModel } from "#lib/engine/training/fit-model";
import { pricedPanel } from "#testing/priced-panel";
import { type Benchmark, mean } from "./harness.ts";

export type Panel = {
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

/**
 * Measures models of many series: errors of series and of totals beside exponential smoothing of each series, coverage, the
 * effects of prices beside known ones, and time and memory.
 */
export const panels: Benchmark = async function* ({ quick, seed, log }) {
  const folder = process.env[FOLDER];
  const known = folder ? [tourism(folder), retail(folder)].filter((panel) => panel !== null) : [];
  if (known.length === 0)
    yield { what: "public panels", skipped: `set ${FOLDER} to a folder with tourism.csv` };
  const rows: string[][] = [];
  for (const panel of known) {
    for (const { by, ours, ets, own, error, coverage } of await measure(panel))
      rows.push([
        panel.name,
        by,
        ours.toFixed(3),
        ets.toFixed(3),
        own.toFixed(3),
        `${(ours / ets).toFixed(3)}${error === null ? "" : ` ± ${error.toFixed(3)}`}`,
        `${(100 * coverage).toFixed(1)}%`,
      ]);
    log(rows.map((row) => row.join("  ")).join("\n"));
  }
  yield {
    what: "errors of series and totals",
    table: {
      title: "MASE beside exponential smoothing of each series, whose totals are bottom-up",
      titles: [
        "panel",
        "sums by",
        "ours",
        "ETS",
        "ETS of the sums",
        "ratio ± standard error",
        "coverage of 90%",
      ],
      rows,
    },
  };
  yield await size({ series: quick ? 50 : 1_000, days: 730, seed });
};

/** Trains on a panel of simulated sales with price and promotion; measures the effects of prices, time and memory. */
export async function size({ series, days, seed }: { series: number; days: number; seed: number }) {
  const { table, elasticities } = pricedPanel({ series, days, seed });
  const start = performance.now();
  const { files, summary } = await fitModel({
    table,
    target: "sales",
    timestamp: "date",
    series: ["store", "item"],
  });
  const trained = performance.now();
  const model = await loadModel(async (name) => files.get(name)!);
  const horizon = model.state.horizon!;
  const rows = takeRows(
    table,
    Int32Array.from(
      { length: series * horizon },
      (_, at) => Math.floor(at / horizon) * days + (at % horizon),
    ),
  );
  const inputs = dropColumns(rows, ["sales"]);
  const times = numericValues(inputs, "date");
  const shifted = times.map((time) => time + days * 86_400_000);
  const at = (factor: number): Table => ({
    ...inputs,
    columns: inputs.columns.map((column) => {
      if (column.name === "date" && column.type !== "category") return { ...column, values: shifted };
      return column.name === "price" && column.type !== "category"
        ? { ...column, values: column.values.map((value) => value * factor) }
        : column;
    }),
  });
  const before = performance.now();
  const usual = (await model.predict(at(1), { include: { intervals: true } })).predictions;
  const predicted = performance.now();
  const cheap = (await model.predict(at(0.9))).predictions;
  const found = Array.from({ length: series }, (_, place) => {
    const sum = (values: Float64Array) =>
      values.subarray(place * horizon, (place + 1) * horizon).reduce((a, b) => a + b, 0);
    return Math.log(sum(cheap) / sum(usual)) / Math.log(0.9);
  });
  const errors = found.map((value, place) => Math.abs(value - elasticities[place]!));
  const negative = found.filter((value) => value < 0).length / series;
  return {
    what: `${series} × ${days} with price and promotion`,
    table: {
      title: `${series} series of ${days} days with price and promotion`,
      titles: [
        "training",
        "28 steps predicted",
        "peak memory",
        "error of elasticities",
        "negative",
        "coverage in back-tests",
      ],
      rows: [
        [
          `${((trained - start) / 1000).toFixed(1)} s`,
          `${((predicted - before) / 1000).toFixed(2)} s`,
          `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
          mean(errors).toFixed(3),
          `${(100 * negative).toFixed(1)}%`,
          `${(100 * (summary.coverage ?? Number.NaN)).toFixed(1)}%`,
        ],
      ],
    },
  };
}

/** `ets`: sums of forecasts of series. `own`: forecasts of the sums themselves, which do not add up. */
type Score = { by: string; coverage: number; ours: number; ets: number; own: number; error: number | null };

/** Trains before the last horizon and measures its predictions by series and by totals. */
export async function measure(panel: Panel): Promise<Score[]> {
  const { table, target, timestamp, series, horizon, season } = panel;
  const index = indexSeries(table, series);
  const groups = rowsOfSeries(index);
  const times = numericValues(table, timestamp);
  const cut = [...new Set(times)].sort((a, b) => a - b).at(-horizon)!;
  const split = (isTest: boolean) =>
    takeRows(
      table,
      Int32Array.from(times.keys()).filter((row) => times[row]! >= cut === isTest),
    );
  const { files } = await fitModel({ table: split(false), target, timestamp, series, request: { horizon } });
  const model = await loadModel(async (name) => files.get(name)!);
  const test = split(true);
  const { predictions, intervals } = await model.predict(dropColumns(test, [target]), {
    include: { intervals: true },
  });
  const actual = numericValues(test, target);
  const inside = actual.filter(
    (value, row) => value >= intervals!.lower[row]! && value <= intervals!.upper[row]!,
  );
  const ofTest = indexSeries(test, series);
  const places = new Map(index.values.map((values, place) => [values.join("\0"), place]));
  const ets = new Float64Array(test.rowCount);
  const targets = numericValues(table, target);
  const next = new Map<number, number>();
  const ahead = groups.map((rows) => {
    const learned = Float64Array.from(
      [...rows].filter((row) => times[row]! < cut),
      (row) => targets[row]!,
    );
    return etsAhead(learned, { horizon, season });
  });
  for (let row = 0; row < test.rowCount; row++) {
    const place = places.get(ofTest.values[ofTest.ofRow[row]!]!.join("\0"))!;
    const step = next.get(place) ?? 0;
    next.set(place, step + 1);
    ets[row] = ahead[place]![step]!;
  }
  return [...panel.levels, series].map((by) => {
    const isLeaf = by === series;
    const ours = mases(panel, { by, cut, test, predictions });
    const theirs = mases(panel, { by, cut, test, predictions: ets });
    const own = mases(panel, { by, cut, test, predictions: null });
    const coverage = coverageOf(panel, {
      by,
      test,
      predictions,
      upper: intervals!.upper,
      shared: intervals!.shape?.sharedBySeries ?? 0,
    });
    return {
      by: isLeaf ? "series" : by.join(" × ") || "total",
      coverage: isLeaf ? inside.length / actual.length : coverage,
      own: mean(own),
      ...compared(ours, theirs),
    };
  });
}

function etsAhead(
  learned: Float64Array,
  { horizon, season }: { horizon: number; season: number },
): Float64Array {
  const fit = fitEts(learned, season);
  if (!fit) return new Float64Array(horizon);
  const filter = etsFilter(fit.parameters);
  for (const value of learned) filter.update(value);
  return filter.forecast(horizon).values;
}

/** Returns the share of sums at one time that lie within their intervals. */
function coverageOf(
  { target, timestamp }: Panel,
  {
    by,
    test,
    predictions,
    upper,
    shared,
  }: { by: string[]; test: Table; predictions: Float64Array; upper: Float64Array; shared: number },
): number {
  const actual = numericValues(test, target);
  const times = numericValues(test, timestamp);
  const key = keyOf(test, by);
  const sums = new Map<string, { error: number; widths: number; squares: number }>();
  actual.forEach((value, row) => {
    const at = `${key(row)}\0${times[row]}`;
    const sum = sums.get(at) ?? { error: 0, widths: 0, squares: 0 };
    const width = upper[row]! - predictions[row]!;
    sums.set(at, {
      error: sum.error + value - predictions[row]!,
      widths: sum.widths + width,
      squares: sum.squares + width ** 2,
    });
  });
  const all = [...sums.values()];
  return all.filter((sum) => Math.abs(sum.error) <= seriesSumWidth(sum, shared)).length / all.length;
}

/** Returns a function that names the group of a row by the values of columns. */
function keyOf(table: Table, by: readonly string[]): (row: number) => string {
  const columns = by.map((name) => findColumn(table, name) as Extract<Column, { type: "category" }>);
  return (row) => columns.map(({ codes, categories }) => categories[codes[row]!]).join("\0");
}

/** Returns both means and the standard error of their ratio (delta method for paired errors). */
function compared(ours: number[], ets: number[]): { ours: number; ets: number; error: number | null } {
  const [a, b] = [mean(ours), mean(ets)];
  const ratio = a / b;
  const squares = ours.map((value, i) => ((value - ratio * ets[i]!) / b) ** 2);
  return { ours: a, ets: b, error: ours.length > 1 ? Math.sqrt(mean(squares) / ours.length) : null };
}

/** Returns the MASE of each sum of series by the values of columns; of exponential smoothing of the sums without predictions. */
function mases(
  { table, target, timestamp, season, horizon }: Panel,
  {
    by,
    cut,
    test,
    predictions,
  }: { by: string[]; cut: number; test: Table; predictions: Float64Array | null },
): number[] {
  const sums = (some: Table, values: Float64Array) => {
    const times = numericValues(some, timestamp);
    const key = keyOf(some, by);
    const found = new Map<string, Map<number, number>>();
    values.forEach((value, row) => {
      const ofGroup = found.get(key(row)) ?? new Map<number, number>();
      found.set(key(row), ofGroup);
      ofGroup.set(times[row]!, (ofGroup.get(times[row]!) ?? 0) + value);
    });
    return found;
  };
  const known = sums(table, numericValues(table, target));
  const predicted = predictions && sums(test, predictions);
  return [...known].flatMap(([key, byTime]) => {
    const past = [...byTime].filter(([time]) => time < cut).sort(([a], [b]) => a - b);
    const changes = past.slice(season).map(([, value], i) => Math.abs(value - past[i]![1]));
    const times = [...byTime.keys()].filter((time) => time >= cut).sort((a, b) => a - b);
    const ahead = etsAhead(
      Float64Array.from(past, ([, value]) => value),
      { horizon, season },
    );
    const errors = times.map((time, step) => {
      const value = predicted ? predicted.get(key)!.get(time)! : ahead[step]!;
      return Math.abs(value - byTime.get(time)!);
    });
    const scale = mean(changes);
    return scale > 0 && errors.length > 0 ? [mean(errors) / scale] : [];
  });
}

/** Reads Australian tourism: 304 quarterly series by region and purpose, 1998 to 2017 (tsibble, GPL-3). */
export function tourism(folder: string): Panel | null {
  const file = path.join(folder, "tourism.csv");
  if (!existsSync(file)) return null;
  const text = readFileSync(file, "utf8").replace(
    /^(\d+) Q(\d)/gm,
    (_, year, quarter) => `${year}-${String(3 * quarter - 2).padStart(2, "0")}-01`,
  );
  const { table } = parseCsv(new TextEncoder().encode(text), { timestamp: "Quarter" });
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
export function retail(folder: string): Panel | null {
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
