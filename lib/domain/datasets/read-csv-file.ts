import { limits } from "#lib/contract/limits";
import type { Table } from "#lib/contract/table";
import { CsvReader } from "#lib/engine/csv/csv-reader";
import type { CsvOptions, CsvResult } from "#lib/engine/csv/options";
import { BLOCK_ROWS, BLOCK_VALUES } from "#lib/engine/table/blocks";
import { tableChunks } from "#lib/engine/workbooks/table-chunks";
import { issueError } from "#lib/platform/errors/domain-error";
import type { OpenFile } from "#lib/platform/threads/messages";

/**
 * Reads a whole CSV, a sheet of a workbook, or a Parquet file into memory. Stops where the rest cannot be read, for example at an unclosed quote.
 *
 * @throws {DomainError} input_invalid for more values than the memory limit allows
 */
export async function readCsvFile(
  open: OpenFile,
  options: CsvOptions,
  cellsMax: number = limits.tableValues,
): Promise<CsvResult> {
  const reader = new CsvReader(options);
  for await (const chunk of tableChunks(await open(), options)) {
    reader.push(chunk);
    if (reader.failed) break;
    rejectTooManyCells(reader.cellsHeld, cellsMax);
  }
  return reader.finish();
}

/**
 * Reads a CSV as `readCsvFile` does, but block by block: yields rows while reading, and returns the remaining rows. If
 * the times need all rows (`takeRows`), yields nothing and returns all rows. The memory limit applies to the rows that are
 * held at once.
 *
 * @throws {DomainError} as `readCsvFile`; input_invalid for more rows than a scenario allows
 */
export async function* streamCsvFile(
  open: OpenFile,
  options: CsvOptions,
  rowsMax: number = limits.scenarioRows,
): AsyncGenerator<Table, CsvResult> {
  const reader = new CsvReader(options);
  for await (const chunk of tableChunks(await open(), options)) {
    reader.push(chunk);
    if (reader.failed) break;
    rejectTooManyCells(reader.cellsHeld);
    rejectTooManyRows(reader.rowCount, rowsMax);
    const isBlock = reader.rowsHeld >= BLOCK_ROWS || reader.cellsHeld >= BLOCK_VALUES;
    const rows = isBlock ? reader.takeRows() : null;
    if (rows !== null) yield rows;
  }
  const rest = reader.finish();
  rejectTooManyRows(reader.rowCount, rowsMax);
  return rest;
}

/** @throws {DomainError} input_invalid for more rows than a scenario allows */
export function rejectTooManyRows(rowCount: number, rowsMax: number): void {
  if (rowCount <= rowsMax) return;
  const message = `The file has more than ${rowsMax.toLocaleString("en")} rows. Split it, and create one scenario for each part.`;
  throw issueError("input_invalid", { code: "too_many_rows", message });
}

/** @throws {DomainError} input_invalid */
export function rejectTooManyCells(cells: number, cellsMax: number = limits.tableValues): void {
  if (cells <= cellsMax) return;
  const message = `The file has more than ${cellsMax.toLocaleString("en")} values. Leave out columns or rows.`;
  throw issueError("input_invalid", { code: "too_many_cells", message });
}
