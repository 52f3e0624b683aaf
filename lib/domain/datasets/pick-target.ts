import type { DatasetPart } from "#db/schema/datasets";
import type { Aggregate, BucketUnit } from "#lib/contract/buckets";
import type { Table } from "#lib/contract/table";
import type { TargetSeries } from "#lib/contract/target-series";
import { totalsOf } from "#lib/engine/panel/panel";
import { aggregateBuckets, bucketsOf } from "#lib/engine/series/buckets";
import { downsampleShared } from "#lib/engine/series/downsample";
import { wireNumbers } from "#lib/engine/series/summary";
import { rowsBetween } from "#lib/engine/series/window";
import { classesOfColumn, encodeClasses } from "#lib/engine/table/class-values";
import { findColumn, numericValues, requireColumn } from "#lib/engine/table/columns";
import { readTable } from "./dataset-table.ts";

type Picking = {
  parts: DatasetPart[];
  target: string;
  timestamp: string | null;
  /** Whether the rows belong to many series. */
  isPanel: boolean;
  maxPoints: number;
  /** Epoch milliseconds, both inclusive. Only for rows with times, as is `bucket`. */
  from?: number | undefined;
  to?: number | undefined;
  bucket?: { unit: BucketUnit; aggregate: Aggregate; timezone: string } | undefined;
};

/** The target in time order. `times` is null without a timestamp. */
type Target = { times: Float64Array | null; values: Float64Array };

/** Reads the target of a stored dataset at the rows to draw. Of many series, it is the sum over all series of each time. */
export async function pickTarget({ parts, target, maxPoints, ...picking }: Picking): Promise<TargetSeries> {
  const stored = await readTable(parts);
  const classes = classesOfColumn(requireColumn(stored, target), false);
  const table = classes ? encodeClasses(stored, target, classes) : stored;
  const { times, values } = targetOf(table, target, picking);
  const { from, to, bucket } = picking;
  const window = rowsBetween(times, values.length, from, to);
  const of = { target, rowCount: table.rowCount };
  if (bucket && times) return { ...of, ...bucketed({ times, values }, window, bucket) };
  const { start, end } = window;
  const rows = downsampleShared([values.subarray(start, end)], maxPoints).map((row) => start + row);
  return {
    ...of,
    timestamps: times && Array.from(rows, (row) => new Date(times[row]!).toISOString()),
    rows: Array.from(rows, (row) => row + 1),
    values: wireNumbers(values, rows),
  };
}

function targetOf(
  table: Table,
  target: string,
  { timestamp, isPanel }: Pick<Picking, "timestamp" | "isPanel">,
): Target {
  const values = numericValues(table, target);
  if (isPanel) {
    const { times, totals } = totalsOf(numericValues(table, timestamp!), values);
    return { times, values: totals };
  }
  const times = timestamp === null ? undefined : findColumn(table, timestamp);
  return { times: times?.type === "timestamp" ? times.values : null, values };
}

function bucketed(
  { times, values }: { times: Float64Array; values: Float64Array },
  asked: ReturnType<typeof rowsBetween>,
  { unit, aggregate, timezone }: NonNullable<Picking["bucket"]>,
): Omit<TargetSeries, "target" | "rowCount"> {
  const { begins, starts, complete, window } = bucketsOf(times, asked, { unit, timezone });
  const { start, end } = window;
  const aggregated = aggregateBuckets((point) => values[start + point]!, begins, aggregate);
  const timeOf = (row: number) => (start < end ? new Date(times[row]!).toISOString() : null);
  return {
    timestamps: Array.from(starts, (time) => new Date(time).toISOString()),
    rows: Array.from(begins.subarray(0, -1), (point) => start + point + 1),
    values: wireNumbers(aggregated),
    buckets: { unit, aggregate, timezone, from: timeOf(start), to: timeOf(end - 1), complete },
  };
}
