import type { DatasetPart } from "#db/schema/datasets";
import type { Aggregate, BucketUnit } from "#lib/contract/buckets";
import type { Table } from "#lib/contract/table";
import type { TargetSeries } from "#lib/contract/target-series";
import { totalsOf } from "#lib/engine/panel/panel";
import { indexSeries } from "#lib/engine/panel/series-index";
import { aggregateBuckets, bucketsOf } from "#lib/engine/series/buckets";
import { downsampleShared } from "#lib/engine/series/downsample";
import { wireNumbers } from "#lib/engine/series/summary";
import { rowsBetween } from "#lib/engine/series/window";
import { classesOfColumn, encodeClasses } from "#lib/engine/table/class-values";
import { findColumn, numericValues, requireColumn } from "#lib/engine/table/columns";
import { readTable } from "./dataset-table.ts";
import { seriesId } from "./series-id.ts";

type Picking = {
  parts: DatasetPart[];
  target: string;
  timestamp: string | null;
  /** Columns that name the series of rows, and IDs of the series to return beside the total; null for one series. */
  panel: { projectId: string; columns: readonly string[]; ids: readonly string[] } | null;
  maxPoints: number;
  /** Epoch milliseconds, both inclusive. Only for rows with times, as is `bucket`. */
  from?: number | undefined;
  to?: number | undefined;
  bucket?: { unit: BucketUnit; aggregate: Aggregate; timezone: string } | undefined;
};

/** The target in time order. `times` is null without a timestamp. `series` are those that are asked for, at the same times. */
type Target = {
  times: Float64Array | null;
  values: Float64Array;
  series?: { id: string; values: Float64Array }[];
};

/** Reads the target of a stored dataset at the rows to draw. Of many series, it is the sum over all series of each time. */
export async function pickTarget({ parts, target, maxPoints, ...picking }: Picking): Promise<TargetSeries> {
  const stored = await readTable(parts);
  const classes = classesOfColumn(requireColumn(stored, target), false);
  const table = classes ? encodeClasses(stored, target, classes) : stored;
  const { times, values, series } = targetOf(table, target, picking);
  const { from, to, bucket } = picking;
  const window = rowsBetween(times, values.length, from, to);
  const of = { target, rowCount: table.rowCount };
  if (bucket && times)
    return { ...of, ...bucketed({ times, values, ...(series && { series }) }, window, bucket) };
  const { start, end } = window;
  const drawn = [values, ...(series ?? []).map((one) => one.values)];
  const rows = downsampleShared(
    drawn.map((one) => one.subarray(start, end)),
    maxPoints,
  ).map((row) => start + row);
  return {
    ...of,
    timestamps: times && Array.from(rows, (row) => new Date(times[row]!).toISOString()),
    rows: Array.from(rows, (row) => row + 1),
    values: wireNumbers(values, rows),
    ...(series && { series: series.map((one) => ({ id: one.id, values: wireNumbers(one.values, rows) })) }),
  };
}

function targetOf(
  table: Table,
  target: string,
  { timestamp, panel }: Pick<Picking, "timestamp" | "panel">,
): Target {
  const values = numericValues(table, target);
  if (panel) {
    const ofRows = numericValues(table, timestamp!);
    const { times, totals } = totalsOf(ofRows, values);
    if (panel.ids.length === 0) return { times, values: totals };
    return { times, values: totals, series: seriesOf(table, { values, ofRows, times }, panel) };
  }
  const times = timestamp === null ? undefined : findColumn(table, timestamp);
  return { times: times?.type === "timestamp" ? times.values : null, values };
}

/** Returns the values of the known series among those that are asked for, at all times; NaN where one has none. */
function seriesOf(
  table: Table,
  { values, ofRows, times }: { values: Float64Array; ofRows: Float64Array; times: Float64Array },
  { projectId, columns, ids }: NonNullable<Picking["panel"]>,
): NonNullable<Target["series"]> {
  const index = indexSeries(table, columns);
  const wanted = new Set(ids);
  const found = new Map<number, { id: string; values: Float64Array }>();
  for (const [place, own] of index.values.entries()) {
    const id = seriesId(projectId, columns, own);
    if (wanted.has(id)) found.set(place, { id, values: new Float64Array(times.length).fill(Number.NaN) });
  }
  const placeOf = new Map(Array.from(times, (time, at) => [time, at]));
  for (const [row, place] of index.ofRow.entries()) {
    const one = found.get(place);
    if (one) one.values[placeOf.get(ofRows[row]!)!] = values[row]!;
  }
  const order = new Map(ids.map((id, at) => [id, at]));
  return [...found.values()].sort((a, b) => order.get(a.id)! - order.get(b.id)!);
}

function bucketed(
  { times, values, series }: Target & { times: Float64Array },
  asked: ReturnType<typeof rowsBetween>,
  { unit, aggregate, timezone }: NonNullable<Picking["bucket"]>,
): Omit<TargetSeries, "target" | "rowCount"> {
  const { begins, starts, complete, window } = bucketsOf(times, asked, { unit, timezone });
  const { start, end } = window;
  const aggregated = (of: Float64Array) =>
    wireNumbers(aggregateBuckets((point) => of[start + point]!, begins, aggregate));
  const timeOf = (row: number) => (start < end ? new Date(times[row]!).toISOString() : null);
  return {
    timestamps: Array.from(starts, (time) => new Date(time).toISOString()),
    rows: Array.from(begins.subarray(0, -1), (point) => start + point + 1),
    values: aggregated(values),
    ...(series && { series: series.map((one) => ({ id: one.id, values: aggregated(one.values) })) }),
    buckets: { unit, aggregate, timezone, from: timeOf(start), to: timeOf(end - 1), complete },
  };
}
