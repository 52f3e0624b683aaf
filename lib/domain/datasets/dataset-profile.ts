import type { Warning } from "#lib/contract/datasets";
import type { DateOrder } from "#lib/engine/csv/timestamps";
import type { ColumnDescription } from "./describe-columns.ts";

/** What the database keeps of a dataset besides its settings. */
export type DatasetProfile = {
  columns: ColumnDescription[];
  warnings: Warning[];
  dateOrder: DateOrder | null;
};
