import type { AuditChange } from "#lib/contract/audit";
import type { CorrectRows, RowValue } from "#lib/contract/dataset-versions";
import { limits } from "#lib/contract/limits";
import type { Reading } from "#lib/contract/reading";
import type { Column, Table } from "#lib/contract/table";
import { takeRows } from "#lib/engine/table/rows";
import { datasetFromRows } from "./build-dataset.ts";
import { valueAt } from "./compare-versions.ts";
import { readTable, type StoredDataset, storeDataset } from "./dataset-table.ts";
import { isColumnWarning } from "./dataset-warnings.ts";
import { type CorrectedCells, readCorrections } from "./read-corrections.ts";
import type { DatasetSettings } from "./settings.ts";
import type { Updating } from "./update-table.ts";

/**
 * Corrects and deletes rows of a stored dataset, and stores the result.
 *
 * @throws {DomainError} input_invalid with every issue of the rows, and as `datasetFromRows`
 */
export async function correctTable({
  before,
  settings,
  artifactKey,
  correction,
}: Updating & { correction: CorrectRows }): Promise<StoredDataset> {
  const table = await readTable(before.parts);
  const { set = [], delete: deleted = [] } = correction;
  const corrections = await readCorrections(correction, table, settings);
  const corrected: Table = {
    rowCount: table.rowCount,
    columns: table.columns.map((column) => withCells(column, corrections.get(column.name), set)),
  };
  const gone = new Set(deleted.map((row) => row - 1));
  const rows = Int32Array.from({ length: table.rowCount }, (_, row) => row).filter((row) => !gone.has(row));
  const built = datasetFromRows(
    gone.size > 0 ? takeRows(corrected, rows) : corrected,
    before.header,
    settings,
  );
  // The correction may have treated the values of this warning.
  const kept = before.warnings.filter(({ code }) => !isColumnWarning(code) && code !== "far_outside_range");
  const stored = await storeDataset(
    artifactKey,
    { ...built, warnings: [...kept, ...built.warnings] },
    { dateOrder: settings.dateOrder, reading: settings.reading as Reading | null },
    { parts: before.parts, table },
  );
  return { ...stored, corrections: auditedCorrections(correction, table, corrected, settings) };
}

function withCells(
  column: Column,
  cells: CorrectedCells | undefined,
  set: NonNullable<CorrectRows["set"]>,
): Column {
  if (cells === undefined) return column;
  if (column.type === "category") {
    const codes = column.codes.slice();
    const categories = [...column.categories];
    for (const [at, cell] of cells.entries()) {
      if (cell === undefined) continue;
      const code = cell === null ? -1 : categories.indexOf(String(cell));
      codes[set[at]!.row - 1] = cell === null || code >= 0 ? code : categories.push(String(cell)) - 1;
    }
    return { ...column, codes, categories };
  }
  const values = column.values.slice();
  for (const [at, cell] of cells.entries())
    if (cell !== undefined) values[set[at]!.row - 1] = cell === null ? Number.NaN : Number(cell);
  return { ...column, values };
}

/** Returns the values before and after, and the deleted rows by their target, for the audit log. */
function auditedCorrections(
  { set = [], delete: deleted = [] }: CorrectRows,
  before: Table,
  after: Table,
  { target }: DatasetSettings,
): AuditChange[] {
  const value = (table: Table, name: string, row: number): RowValue =>
    valueAt(
      table.columns.find((column) => column.name === name),
      row - 1,
    );
  const names = set.flatMap(({ row, values }) => Object.keys(values).map((name) => ({ row, name })));
  return [
    ...names.slice(0, limits.auditedChanges).map(({ row, name }) => ({
      field: `row ${row}: ${name}`,
      from: value(before, name, row),
      to: value(after, name, row),
    })),
    ...deleted.slice(0, limits.auditedChanges).map((row) => ({
      field: `row ${row}: ${target}`,
      from: value(before, target, row),
      to: "deleted",
    })),
  ].slice(0, limits.auditedChanges);
}
