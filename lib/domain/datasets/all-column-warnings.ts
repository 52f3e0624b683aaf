import type { Table } from "#lib/contract/table";
import type { Warning } from "#lib/contract/warnings";
import { columnWarnings } from "./dataset-warnings.ts";
import type { ColumnDescription } from "./describe-columns.ts";
import { leakWarnings } from "./leak-warnings.ts";
import type { DatasetSettings } from "./settings.ts";

/**
 * Returns the warnings about columns, without those whose suspected columns are all confirmed. Series columns have none.
 *
 * @param inTime the rows, or a sample of them, in time order if there is a timestamp
 */
export function allColumnWarnings(
  { rowCount }: Table,
  described: readonly ColumnDescription[],
  settings: DatasetSettings,
  { plannedRows = 0, inTime }: { plannedRows?: number; inTime: Table },
): Warning[] {
  const { seriesColumns } = settings;
  const columns = described.filter(({ name }) => seriesColumns?.includes(name) !== true);
  const confirmed = new Set(settings.confirmed);
  const leaks = leakWarnings(inTime, columns, settings);
  const identifiers = new Set(leaks.filter(({ code }) => code === "identifier").map(({ column }) => column));
  return [
    ...leaks,
    ...columnWarnings(columns, rowCount, { plannedRows, isPanel: seriesColumns !== null }),
  ].filter(
    ({ code, column, columns: suspected }) =>
      !(suspected?.every((name) => confirmed.has(name)) ?? false) &&
      // The identifier's warning covers its many categories.
      !(code === "many_categories" && identifiers.has(column)),
  );
}
