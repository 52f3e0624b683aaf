import type { DatasetPart } from "#db/schema/datasets";
import type { TargetSeries } from "#lib/contract/target-series";
import { downsampleShared } from "#lib/engine/series/downsample";
import { classesOfColumn, encodeClasses } from "#lib/engine/table/class-values";
import { findColumn, numericValues, requireColumn } from "#lib/engine/table/columns";
import { readTable } from "./dataset-table.ts";

type Picking = { parts: DatasetPart[]; target: string; timestamp: string | null; maxPoints: number };

/** Reads the target of a stored dataset at the rows to draw. */
export async function pickTarget({ parts, target, timestamp, maxPoints }: Picking): Promise<TargetSeries> {
  const stored = await readTable(parts);
  const classes = classesOfColumn(requireColumn(stored, target), false);
  const table = classes ? encodeClasses(stored, target, classes) : stored;
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
