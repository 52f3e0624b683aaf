import type { Table } from "#lib/contract/table";
import { writeHeader, writeRows } from "#lib/engine/csv/write-csv";

/** Returns a table as the text of a CSV file, header included. */
export function csvOfTable(table: Table): string {
  return [writeHeader(table.columns.map(({ name }) => name)), ...writeRows(table)].join("");
}
