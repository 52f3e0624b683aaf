import type { DatasetSeries } from "#lib/contract/datasets";
import type { Table } from "#lib/contract/table";
import type { Warning } from "#lib/contract/warnings";
import type { ColumnDescription } from "./describe-columns.ts";

/** A dataset as described, before it is stored. */
export type BuiltDataset = {
  /** All stored columns; rows in time order if there is a timestamp, and by series before. */
  table: Table;
  columns: ColumnDescription[];
  warnings: Warning[];
  /** ISO 8601 duration or `P1B`; null for rows without a regular step. */
  frequency: string | null;
  /** Day of the month of every row, where 31 means the month's last day; null unless rows are months apart. */
  monthDay: number | null;
  /** Epoch milliseconds. */
  firstTimestamp: number | null;
  lastTimestamp: number | null;
  /** Last row with a target, as `lastTargetTimestamp` of the API; null without times. */
  lastTargetTimestamp: string | null;
  /** Number of rows after it. */
  plannedRows: number;
  /** Null for one series. */
  series: DatasetSeries | null;
};
