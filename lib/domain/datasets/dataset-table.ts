import type { DatasetPart } from "#db/schema/datasets";
import type { AuditChange } from "#lib/contract/audit";
import type { Reading } from "#lib/contract/reading";
import type { Table } from "#lib/contract/table";
import type { DateOrder } from "#lib/engine/csv/timestamps";
import { decodeTable, encodeTable } from "#lib/engine/table/codec";
import { equalUntil } from "#lib/engine/table/compare-rows";
import { concatTables } from "#lib/engine/table/concat";
import { takeRows } from "#lib/engine/table/rows";
import { artifactBytes } from "#lib/platform/artifacts/artifact-digest";
import { store } from "#lib/platform/storage/store";
import type { BuiltDataset } from "./built-dataset.ts";

/** Metadata of a dataset whose columns are in the artifact store. */
export type StoredDataset = Omit<BuiltDataset, "table"> & {
  rowCount: number;
  dateOrder: DateOrder | null;
  reading: Reading | null;
  /** Columns of the times in the order of their parts, if a file showed it. */
  timestampColumns?: string[] | null;
  parts: DatasetPart[];
  /** Corrected values, for the audit log. */
  corrections?: AuditChange[];
};

/** Stored rows of a version that the new one continues. */
export type FormerRows = { parts: readonly DatasetPart[]; table: Table };

/** Name of the file with columns in a folder of the artifact store. */
const tableFileName = "table.bin";

/** Largest number of folders of a version. Reading many small files takes longer than reading one. */
const PARTS_MAX = 32;

export async function readTable(parts: readonly DatasetPart[]): Promise<Table> {
  const files = await Promise.all(parts.map(({ key }) => store().readFile(key, tableFileName)));
  const tables = files.map(decodeTable);
  return tables.length === 1 ? tables[0]! : concatTables(tables);
}

/**
 * Stores a version of a dataset. It shares the first folders of the former version, as far as it has the same rows, and
 * writes the other rows into one folder. So appended rows are stored alone, and other settings store nothing. If there
 * would be too many folders, all but the first are written again as one.
 */
export async function storeDataset(
  artifactKey: string,
  { table, ...built }: BuiltDataset,
  { dateOrder, reading }: Pick<StoredDataset, "dateOrder" | "reading">,
  former?: FormerRows,
): Promise<StoredDataset> {
  const shared = former === undefined ? [] : sharedParts(former, table);
  const from = rowsOf(shared);
  const parts = [...shared];
  if (from < table.rowCount || parts.length === 0) {
    const file = encodeTable(ownRows(table, from));
    const manifest = await store().writeFolder(artifactKey, new Map([[tableFileName, file]]));
    parts.push({ key: artifactKey, rows: table.rowCount - from, bytes: artifactBytes(manifest) });
  }
  return { ...built, rowCount: table.rowCount, dateOrder, reading, parts };
}

const rowsOf = (parts: readonly DatasetPart[]) => parts.reduce((sum, { rows }) => sum + rows, 0);

function sharedParts({ parts, table: former }: FormerRows, table: Table): DatasetPart[] {
  const equal = equalUntil(former, table);
  const shared: DatasetPart[] = [];
  for (const part of parts) {
    if (rowsOf(shared) + part.rows > equal) break;
    shared.push(part);
  }
  return rowsOf(shared) < table.rowCount && shared.length >= PARTS_MAX ? shared.slice(0, 1) : shared;
}

/** Returns the rows from `from` on, with the categories that they use. */
function ownRows(table: Table, from: number): Table {
  if (from === 0) return table;
  const rows = Int32Array.from({ length: table.rowCount - from }, (_, at) => from + at);
  const { columns, rowCount } = takeRows(table, rows);
  return {
    rowCount,
    columns: columns.map((column) => {
      if (column.type !== "category") return column;
      const used = [...new Set(column.codes)].filter((code) => code >= 0).sort((a, b) => a - b);
      const recoded = new Map(used.map((code, index) => [code, index]));
      const codes = column.codes.map((code) => recoded.get(code) ?? -1);
      return { ...column, codes, categories: used.map((code) => column.categories[code]!) };
    }),
  };
}
