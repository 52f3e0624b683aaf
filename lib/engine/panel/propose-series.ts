import { limits } from "#lib/contract/limits";
import type { Choice } from "#lib/contract/reading";
import type { Column, Table } from "#lib/contract/table";
import { findHours } from "#lib/engine/csv/propose-parts";
import { numericValues } from "#lib/engine/table/columns";
import { rowsOfSeries } from "./series-index.ts";

/** Columns that are tried together, those with the fewest values first. */
const CANDIDATES_MAX = 12;
/** Rows on which most combinations are dismissed: those of the times that occur most often. */
const GLANCE_ROWS = 1_000;
/** Combinations that are verified on all rows. */
const VERIFIED_MAX = 12;
/** Fewer rows per series, or per time, are no panel. */
const ROWS_PER_SERIES_MIN = 3;
const ROWS_PER_TIME_MIN = 1.2;

export type SeriesProposal = { columns: string[]; count: number };

/** A column as numbers from 0: the same number for the same value. */
type Coded = { name: string; place: number; codes: Int32Array; count: number };

/**
 * Finds the columns whose values name the series of rows whose times repeat: as few columns as possible, for which each time
 * occurs once. Of several such combinations, the one with the fewest series is chosen.
 *
 * Example: with the columns store, item and price of 10 stores and 5 items, each day occurs 50 times. It occurs 5 times in
 * each store and 10 times for each item, but once for each store and item.
 *
 * @param columns columns that may name series: categories, and whole numbers such as those of stores
 * @param times epoch milliseconds of each row
 * @returns null if no combination of up to four columns has each time once
 */
export function proposeSeries(columns: readonly Column[], times: Float64Array): SeriesProposal | null {
  const { steps, rows: glance, most } = glanceOf(times);
  if (most < 2 || times.length < ROWS_PER_TIME_MIN * steps.count) return null;
  const candidates = columns
    .flatMap((column, place) => coded(column, place) ?? [])
    .filter(({ count }) => count > 1 && count <= limits.series)
    .sort((a, b) => a.count - b.count || a.place - b.place)
    .slice(0, CANDIDATES_MAX);
  for (let size = 1; size <= limits.seriesColumns; size++) {
    const found = combinations(candidates, size)
      .filter((some) => some.reduce((product, { count }) => product * count, 1) >= most)
      .filter((some) => namesSeries(some, steps, glance) !== null)
      .slice(0, VERIFIED_MAX)
      .flatMap((some) => {
        const count = namesSeries(some, steps);
        return count === null || count * ROWS_PER_SERIES_MIN > times.length ? [] : [{ some, count }];
      })
      .filter(({ count }) => count <= limits.series)
      .sort((a, b) => a.count - b.count);
    if (found[0] !== undefined) {
      const { some, count } = found[0];
      return { columns: some.toSorted((a, b) => a.place - b.place).map(({ name }) => name), count };
    }
  }
  return null;
}

const HOUR_MS = 3_600_000;

/**
 * Returns the choice of the columns that name the series of a table whose times repeat, and of their hours if the times are
 * days. Null if no columns distinguish the series.
 *
 * @param unused columns that name no series, such as the target and excluded ones
 */
export function proposeSeriesChoice(
  table: Table,
  { timestamp, isJoined, unused }: { timestamp: string; isJoined: boolean; unused: readonly string[] },
): Choice | null {
  const columns = table.columns.filter(({ name }) => name !== timestamp && !unused.includes(name));
  const times = numericValues(table, timestamp);
  const hours = isJoined ? null : findHours(table.columns, timestamp);
  if (hours === null) {
    const found = proposeSeries(columns, times);
    return found === null ? null : seriesChoice(found);
  }
  const others = columns.filter(({ name }) => name !== hours.name);
  const hourly = proposeSeries(
    others,
    times.map((time, row) => time + HOUR_MS * hours.values[row]!),
  );
  if (hourly === null) return null;
  const { label, options, cells } = seriesChoice(hourly);
  const joined = [timestamp, hours.name];
  return {
    label: `${label}, with times of ${joined.join(" and ")}`,
    options: { ...options, timestamp: joined },
    cells,
  };
}

/** Returns the choice that names the series: `50 series by store and item`. */
export function seriesChoice({ columns, count }: SeriesProposal): Choice {
  const last = columns.at(-1)!;
  const named = columns.length === 1 ? last : `${columns.slice(0, -1).join(", ")} and ${last}`;
  const label = `${count.toLocaleString("en")} series by ${named}`;
  return { label, options: { series: columns }, cells: [] };
}

/** Numbers the times, and picks rows of those that occur most often. */
function glanceOf(times: Float64Array): { steps: Coded; rows: Int32Array; most: number } {
  const steps = codedValues("", -1, times);
  const occurrences = new Int32Array(steps.count);
  for (const code of steps.codes) occurrences[code]!++;
  const frequent = Array.from(occurrences.keys()).sort((a, b) => occurrences[b]! - occurrences[a]!);
  const most = occurrences[frequent[0] ?? 0] ?? 0;
  const picked = new Set(frequent.slice(0, Math.ceil(GLANCE_ROWS / Math.max(1, most))));
  const rows = Int32Array.from(steps.codes.keys()).filter((row) => picked.has(steps.codes[row]!));
  return { steps, rows, most };
}

function codedValues(name: string, place: number, values: Float64Array | Int32Array): Coded {
  const numbers = new Map<number, number>();
  const codes = Int32Array.from(values, (value) => numberOf(numbers, value));
  return { name, place, codes, count: numbers.size };
}

function numberOf(numbers: Map<number, number>, value: number): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  numbers.set(value, numbers.size);
  return numbers.size - 1;
}

/** Returns null for a column that cannot name series: with missing values, fractions or too many values. */
function coded(column: Column, place: number): Coded | null {
  const { name } = column;
  if (column.type === "category")
    return column.codes.includes(-1) ? null : codedValues(name, place, column.codes);
  const isWhole = column.type === "number" && column.values.every(Number.isSafeInteger);
  return isWhole && !hasMany(column.values) ? codedValues(name, place, column.values) : null;
}

function hasMany(values: Float64Array): boolean {
  const seen = new Set<number>();
  return values.some((value) => seen.add(value).size > limits.series);
}

/** Returns the number of series, or null if one of them has a time twice. @param rows rows to look at; absent: all */
function namesSeries(some: readonly Coded[], steps: Coded, rows?: Int32Array): number | null {
  const length = rows?.length ?? steps.codes.length;
  const rowAt = rows === undefined ? (at: number) => at : (at: number) => rows[at]!;
  const series = new Map<number | string, number>();
  const isSmall = some.reduce((size, { count }) => size * count, 1) < 2 ** 53;
  const ofRow = new Int32Array(length);
  for (let at = 0; at < length; at++) {
    const row = rowAt(at);
    const key = isSmall
      ? some.reduce((sum, { codes, count }) => sum * count + codes[row]!, 0)
      : some.map(({ codes }) => codes[row]!).join();
    const place = series.get(key) ?? series.size;
    if (place === series.size) series.set(key, place);
    ofRow[at] = place;
  }
  const values = Array.from(series.keys(), () => []);
  const isOnce = rowsOfSeries({ values, ofRow }).every((own) => {
    const times = own.map((at) => steps.codes[rowAt(at)]!).sort();
    return times.every((time, at) => at === 0 || time !== times[at - 1]);
  });
  return isOnce ? series.size : null;
}

function combinations<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, at) =>
    combinations(items.slice(at + 1), size - 1).map((rest) => [item, ...rest]),
  );
}
