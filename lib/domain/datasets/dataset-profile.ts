import type { Warning } from "#lib/contract/datasets";
import type { DateOrder } from "#lib/engine/csv/timestamps";
import type { ColumnDescription } from "./describe-columns.ts";

/** Dataset fields that the database stores besides the settings. */
export type DatasetProfile = {
  columns: ColumnDescription[];
  warnings: Warning[];
  dateOrder: DateOrder | null;
  monthDay: number | null;
};
