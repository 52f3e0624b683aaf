import type { DatasetPart } from "#db/schema/datasets";
import type { Table } from "#lib/contract/table";
import type { TargetSeries } from "#lib/contract/target-series";
import { totalsOf } from "#lib/engine/panel/panel";
import { downsampleShared } from "#lib/engine/series/downsample";
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
};

/** Reads the target of a stored dataset at the rows to draw. Of many series, it is the sum over all series of each time. */
export async function pickTarget({
  parts,
  target,
  timestamp,
  isPanel,
  maxPoints,
}: Picking): Promise<TargetSeries> {
  const stored = await readTable(parts);
  const classes = classesOfColumn(requireColumn(stored, target), false);
  const table = classes ? encodeClasses(stored, target, classes) : stored;
  if (isPanel) return { ...pickTotals(table, { target, timestamp: timestamp!, maxPoints }), target };
  const values = numericValues(table, target);
  const rows = [...downsampleShared([values], maxPoints)];
  const times = timestamp === null ? undefined : findColumn(table, timestamp);
  return {
    target,
    rowCount: table.rowCount,
    timestamps:
      times?.type === "timestamp" ? rows.map((row) => new Date(times.values[row]!).toISOString()) : null,
    rows: rows.map((row) => row + 1),
    values: rows.map((row) => (Number.isNaN(values[row]) ? null : values[row]!)),
  };
}

function pickTotals(
  table: Table,
  { target, timestamp, maxPoints }: { target: string; timestamp: string; maxPoints: number },
): Omit<TargetSeries, "target"> {
  const { times, totals } = totalsOf(numericValues(table, timestamp), numericValues(table, target));
  const points = [...downsampleShared([totals], maxPoints)];
  return {
    rowCount: table.rowCount,
    timestamps: points.map((at) => new Date(times[at]!).toISOString()),
    rows: points.map((at) => at + 1),
    values: points.map((at) => (Number.isNaN(totals[at]) ? null : totals[at]!)),
  };
}
