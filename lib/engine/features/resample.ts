import { BUSINESS_DAY } from "#lib/contract/duration-text";
import { limits } from "#lib/contract/limits";
import type { CategoryColumn, Column, NumericColumn, Table } from "#lib/contract/table";
import type { DatasetEnd } from "#lib/engine/csv/time-order";
import { numericValues, withColumn } from "#lib/engine/table/columns";
import { calendarValues, civilDate } from "#lib/engine/time/calendar";
import { wallToInstant, zoneOffset } from "#lib/engine/time/timezones";
import { businessDay, dayOfBusinessDay, detectFrequency, parseFrequency, stepMs } from "./frequency.ts";
import { atTimeOfDay, createGrid, type GridDefinition } from "./grid.ts";

const DAY_MS = 86_400_000;

type Statistic = "sum" | "mean" | "last";

/** Options that make a series of a file's rows: calendar, and steps into which rows at irregular times are joined. */
export type SeriesOptions = {
  /** Set calendar of daily rows. Null if the rows decide. */
  calendar: "business" | "all-days" | null;
  resample: { frequency: string; statistic: Statistic } | null;
};

/** Columns of a series. `hours` is the second of two timestamp columns; `target` is absent from the rows of a scenario. */
type SeriesColumns = {
  timestamp: string;
  hours?: string | undefined;
  target: string;
  /** Number of the series of each row; absent for one series. */
  series?: Int32Array | undefined;
};

/** Returns the step of a series: resampled, or detected from ascending times. The calendar applies to daily rows. */
export function stepOfSeries(
  times: Float64Array,
  timezone: string,
  { calendar, resample }: SeriesOptions,
): string | null {
  const detected = detectFrequency(times, timezone);
  const skipsWeekends = resample?.frequency === "P1D" && detected === BUSINESS_DAY;
  const step = resample === null || skipsWeekends ? detected : resample.frequency;
  if (calendar === null || (step !== "P1D" && step !== BUSINESS_DAY)) return step;
  return calendar === "business" ? BUSINESS_DAY : "P1D";
}

/** Joins the rows of each step into one row, or returns the table unchanged without `resample`. */
export function resampleSeries(
  table: Table,
  columns: SeriesColumns,
  timezone: string,
  options: SeriesOptions,
): Table {
  const { resample } = options;
  if (resample === null) return table;
  let first = Number.POSITIVE_INFINITY;
  for (const time of numericValues(table, columns.timestamp)) if (time < first) first = time;
  if (first === Number.POSITIVE_INFINITY) return table;
  return resampleTable(
    table,
    columns,
    seriesGrid(first, timezone, { ...options, resample }),
    resample.statistic,
  );
}

/** Returns the grid of a resampled series. @param first its earliest time, epoch milliseconds */
function seriesGrid(
  first: number,
  timezone: string,
  { calendar, resample }: SeriesOptions & { resample: NonNullable<SeriesOptions["resample"]> },
): GridDefinition {
  const isBusiness = resample.frequency === "P1D" && calendar === "business";
  return resamplingGrid(first, isBusiness ? BUSINESS_DAY : resample.frequency, timezone);
}

/** Returns the end of a dataset to which rows are added. @param frequency the dataset's step; null without one */
export function datasetEnd(
  { first, last, frequency }: { first: number; last: number; frequency: string | null },
  timezone: string,
  { calendar, resample }: SeriesOptions,
): DatasetEnd {
  const limit = frequency === null ? Infinity : first + limits.tableValues * stepMs(frequency);
  if (resample === null) return { last, next: null, limit };
  const { indexOf, timeAt } = createGrid(seriesGrid(first, timezone, { calendar, resample }));
  return { last, next: timeAt(indexOf(last) + 1), limit };
}

/**
 * Returns the grid into which rows are joined. Its steps begin at round times of the zone: days at midnight, weeks on
 * Monday, quarters and years on their first day. Shorter steps count from the first day's midnight. The grid of later
 * rows is the same.
 *
 * @param first earliest time, epoch milliseconds
 */
export function resamplingGrid(first: number, frequency: string, timezone: string): GridDefinition {
  const { unit, count } = parseFrequency(frequency);
  const offset = zoneOffset(timezone);
  const wall = first + offset(first);
  const day = Math.floor(wall / DAY_MS);
  const startOf = (startDay: number) => wallToInstant(startDay * DAY_MS, offset);
  if (unit === "month") {
    const { year, month } = civilDate(wall);
    const whole = count % 12 === 0 ? 12 : 12 % count === 0 ? count : 1;
    const start = new Date(0).setUTCFullYear(year, month - 1 - ((month - 1) % whole), 1);
    return atTimeOfDay({ frequency, timezone, start: wallToInstant(start, offset), monthDay: 1 }, 0);
  }
  const fromDay = (startDay: number) => atTimeOfDay({ frequency, timezone, start: startOf(startDay) }, 0);
  if (unit === "business") return fromDay(dayOfBusinessDay(businessDay(day)));
  // 1969-12-29 was a Monday.
  if (unit === "day") return fromDay(count % 7 === 0 ? day - ((((day + 3) % 7) + 7) % 7) : day);
  const midnight = startOf(day);
  return { frequency, timezone, start: midnight + Math.floor((first - midnight) / count) * count };
}

/**
 * Joins rows in any order into one row per step of the grid, at the time of the step. Steps without rows stay gaps. Rows of
 * different series are not joined.
 *
 * The target takes the statistic of its values. Other numbers take the mean, or with `last` the last value. Categories,
 * booleans and other times always take the last value. Missing values do not count.
 */
export function resampleTable(
  table: Table,
  { timestamp, hours, target, series }: SeriesColumns,
  grid: GridDefinition,
  statistic: Statistic,
): Table {
  const times = numericValues(table, timestamp);
  const { indexOf, timeAt } = createGrid(grid);
  const order = Int32Array.from(times.keys()).filter((row) => !Number.isNaN(times[row]!));
  const seriesOf = series === undefined ? () => 0 : (row: number) => series[row]!;
  order.sort((a, b) => seriesOf(a) - seriesOf(b) || times[a]! - times[b]! || a - b);
  /** Position in `order` at which each step begins, and the end. */
  const begins: number[] = [];
  const starts: number[] = [];
  let before = Number.NaN;
  let former = 0;
  order.forEach((row, at) => {
    const index = indexOf(times[row]!);
    const own = seriesOf(row);
    if (index === before && own === former) return;
    begins.push(at);
    starts.push(timeAt(index));
    before = index;
    former = own;
  });
  begins.push(order.length);
  const columns = table.columns.map((column): Column => {
    if (column.name === timestamp && column.type === "timestamp")
      return { ...column, values: Float64Array.from(starts) };
    if (column.type === "category") return lastCategories(column, order, begins);
    const isNumber = column.type === "number";
    const one = !isNumber ? "last" : column.name === target || statistic === "last" ? statistic : "mean";
    return joinNumbers(column, order, begins, one);
  });
  const joined = { rowCount: starts.length, columns };
  const hour = hours === undefined ? undefined : columns.find(({ name }) => name === hours);
  return hour?.type === "number"
    ? withColumn(joined, {
        ...hour,
        values: calendarValues(Float64Array.from(starts), "hour", grid.timezone),
      })
    : joined;
}

function joinNumbers(
  column: NumericColumn,
  order: Int32Array,
  begins: readonly number[],
  statistic: Statistic,
): NumericColumn {
  const values = new Float64Array(begins.length - 1).fill(Number.NaN);
  for (let step = 0; step < values.length; step++) {
    let joined = Number.NaN;
    let count = 0;
    for (let at = begins[step]!; at < begins[step + 1]!; at++) {
      const value = column.values[order[at]!]!;
      if (Number.isNaN(value)) continue;
      // The first value is taken as it is, so that a step of one row keeps its bits.
      joined = count === 0 || statistic === "last" ? value : joined + value;
      count++;
    }
    values[step] = statistic === "mean" && count > 1 ? joined / count : joined;
  }
  return { ...column, values };
}

function lastCategories(
  column: CategoryColumn,
  order: Int32Array,
  begins: readonly number[],
): CategoryColumn {
  const codes = new Int32Array(begins.length - 1).fill(-1);
  for (let step = 0; step < codes.length; step++)
    for (let at = begins[step + 1]! - 1; at >= begins[step]! && codes[step] === -1; at--)
      codes[step] = column.codes[order[at]!]!;
  return { ...column, codes };
}

/** Steps that are offered for irregular times, shortest first. */
export const resamplingSteps = ["PT1M", "PT5M", "PT15M", "PT30M", "PT1H", "P1D", "P7D", "P1M", "P3M", "P1Y"];

/**
 * Returns the offered step that is nearest to the median distance of the times, if they are irregular: without a step,
 * or with several rows in one. Null for regular times and for fewer than three.
 *
 * @param times epoch milliseconds in any order; NaN is ignored
 */
export function proposeResampling(times: Float64Array, timezone: string): string | null {
  const sorted = times.filter((time) => !Number.isNaN(time)).sort();
  const distances = sorted.subarray(1).map((time, row) => time - sorted[row]!);
  if (distances.length < 2) return null;
  const step = detectFrequency(sorted, timezone);
  if (step !== null && !sharesStep(sorted, step, timezone)) return null;
  const positive = distances.filter((distance) => distance > 0).sort();
  if (positive.length === 0) return null;
  const median = positive[positive.length >> 1]!;
  const far = (offered: string) => Math.abs(Math.log(stepMs(offered) / median));
  return resamplingSteps.reduce((near, one) => (far(one) < far(near) ? one : near));
}

function sharesStep(sorted: Float64Array, frequency: string, timezone: string): boolean {
  const { indexOf } = createGrid({ frequency, timezone, start: sorted[0]! });
  let before = Number.NaN;
  return sorted.some((time) => {
    const index = indexOf(time);
    const isSame = index === before;
    before = index;
    return isSame;
  });
}
