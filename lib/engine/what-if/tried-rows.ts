import type { Table } from "#lib/contract/table";
import { findColumn } from "#lib/engine/table/columns";

/** Rows of a scenario. `from` and `to` (epoch milliseconds, inclusive) limit the rows that are changed and measured. */
export type TriedRows = { table: Table; timestamp: string | null; from?: number; to?: number };

/** Returns the numbers of the span's rows, from 0. */
export function measuredRows({ table, timestamp, from, to }: TriedRows): Int32Array {
  const rows = Int32Array.from({ length: table.rowCount }, (_, row) => row);
  const times = timestamp === null ? undefined : findColumn(table, timestamp);
  if (times === undefined || times.type === "category") return rows;
  if (from === undefined && to === undefined) return rows;
  const [least, most] = [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY];
  return rows.filter((row) => times.values[row]! >= least && times.values[row]! <= most);
}
