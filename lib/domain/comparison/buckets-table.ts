import type { Buckets, BucketUnit } from "#lib/contract/buckets";
import type { LevelBounds } from "#lib/contract/intervals";
import type { Comparison, PredictionChart } from "#lib/contract/scenario-series";
import type { Column, Table } from "#lib/contract/table";
import { civilDate } from "#lib/engine/time/calendar";
import { zoneOffset } from "#lib/engine/time/timezones";
import { distinct, withDistinctNames } from "./comparison-table.ts";

type Values = readonly (number | null)[];
type Intervals = { lower: Values; upper: Values; levels?: LevelBounds[] | undefined };

/** Returns aggregated predictions as a table, one row per bucket. */
export function* chartTable({
  timestamps,
  values,
  rowCounts,
  actual,
  ...chart
}: PredictionChart & { buckets: Buckets }): Generator<Table> {
  yield tableOf(values.length, [
    ...axisColumns(timestamps ?? [], chart.buckets),
    number("rows", rowCounts ?? []),
    number("prediction", values),
    ...intervalColumns("", "_", chart),
    ...(actual ? [number("actual", actual)] : []),
  ]);
}

/** Returns a comparison in memory as a table, one row per point, with the columns of `comparisonTable` and numbers of rows of buckets. */
export function* comparedPointsTable({
  timestamps = [],
  buckets,
  scenarios,
  series,
  baselineId,
  actual,
}: Comparison): Generator<Table> {
  const titles = distinct(["actual", ...scenarios.map(({ title }) => title)]).slice(1);
  yield tableOf(timestamps.length, [
    ...axisOf({ timestamps, buckets }),
    ...series.flatMap(({ scenarioId, values, differences, rowCounts, ...intervals }, index) => {
      const title = titles[index]!;
      return [
        number(title, values),
        ...intervalColumns(`${title} `, " ", intervals),
        ...(scenarioId === baselineId ? [] : [number(`${title} difference`, differences)]),
        ...(rowCounts ? [number(`${title} rows`, rowCounts)] : []),
      ];
    }),
    ...(actual ? [number("actual", actual)] : []),
  ]);
}

const tableOf = (rowCount: number, columns: Column[]): Table => withDistinctNames({ rowCount, columns });

/** Returns the columns of the axis of times, or of buckets. */
export function axisOf({
  timestamps = [],
  buckets,
}: {
  timestamps?: string[] | undefined;
  buckets?: Buckets | undefined;
}): Column[] {
  if (buckets !== undefined) return axisColumns(timestamps, buckets);
  const values = Float64Array.from(timestamps, (time) => Date.parse(time));
  return [{ name: "timestamp", type: "timestamp", values }];
}

/** Returns the columns of the axis: the name of the bucket in its zone, its beginning, and whether it is complete. */
function axisColumns(timestamps: readonly string[], { unit, timezone, complete }: Buckets): Column[] {
  const times = Float64Array.from(timestamps, (time) => Date.parse(time));
  const codes = Int32Array.from(times.keys());
  const name = bucketName(unit, timezone);
  return [
    { name: unit, type: "category", codes, categories: Array.from(times, name) },
    { name: "timestamp", type: "timestamp", values: times },
    { name: "complete", type: "boolean", values: Float64Array.from(complete, Number) },
  ];
}

/** Returns a function that names the bucket that begins at an instant: 2024-02-14T05:00, 2024-02-14, 2024-02, 2024-Q1 or 2024. */
function bucketName(unit: BucketUnit, timezone: string): (instant: number) => string {
  const offset = zoneOffset(timezone);
  return (instant) => {
    const wall = instant + offset(instant);
    const { year, month } = civilDate(wall);
    if (unit === "year") return String(year);
    if (unit === "quarter") return `${year}-Q${Math.ceil(month / 3)}`;
    return new Date(wall).toISOString().slice(0, { hour: 16, day: 10, week: 10, month: 7 }[unit]);
  };
}

export function intervalColumns(
  prefix: string,
  separator: string,
  { lower, upper, levels = [] }: Intervals,
): Column[] {
  const others = levels.map((one) => ({ ...one, ending: `${separator}${Math.round(100 * one.level)}` }));
  return [{ ending: "", lower, upper }, ...others]
    .filter(({ upper }) => upper.some((value) => value !== null))
    .flatMap(({ ending, lower, upper }) => [
      number(`${prefix}lower${ending}`, lower),
      number(`${prefix}upper${ending}`, upper),
    ]);
}

export function number(name: string, values: Values): Column {
  return { name, type: "number", values: Float64Array.from(values, (value) => value ?? Number.NaN) };
}
