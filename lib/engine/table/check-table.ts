import { z } from "zod";
import { ColumnTypeSchema } from "#lib/contract/datasets";
import type { Column, Table } from "#lib/contract/table";
import { isWithinYears } from "#lib/engine/csv/timestamps";
import { decodeTable, encodeTable } from "./codec.ts";

/** Largest number in a model's files: squares and sums of such numbers stay finite. */
export const NUMBER_MAX = 1e100;

const Header = z.object({
  rowCount: z.number().int().min(0),
  columns: z
    .array(
      z.object({
        name: z.string().min(1).max(1_000),
        type: ColumnTypeSchema,
        categories: z.array(z.string()).optional(),
      }),
    )
    .max(20_000),
});

/**
 * Decodes a table that another service may have written.
 *
 * @throws {RangeError} with the reason, unless the bytes are exactly what `encodeTable` writes for a valid table
 */
export function checkedTable(bytes: Uint8Array): Table {
  const table = decodeUnknown(bytes);
  const { columns } = table;
  if (new Set(columns.map(({ name }) => name)).size !== columns.length)
    throw new RangeError("Two columns have the same name.");
  for (const column of columns) {
    const row = invalidRow(column);
    if (row !== -1) throw new RangeError(`Row ${row + 1} of the column "${column.name}" is invalid.`);
  }
  // Only one encoding is valid, so nothing can hide in the padding or the header.
  if (Buffer.compare(encodeTable(table), bytes) !== 0)
    throw new RangeError("The bytes differ from the encoding of their table.");
  return table;
}

function decodeUnknown(bytes: Uint8Array): Table {
  let table: Table;
  try {
    table = decodeTable(bytes);
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    throw new RangeError("The table's header is invalid.", { cause });
  }
  const parsed = Header.safeParse(table);
  if (parsed.success) return table;
  const { path, message } = parsed.error.issues[0]!;
  throw new RangeError(`The table's header is wrong at ${path.join(".")}: ${message}.`);
}

/** Returns the first row with a value that the column's type excludes; -1 without one. */
function invalidRow(column: Column): number {
  switch (column.type) {
    case "category":
      return column.codes.findIndex((code) => code < -1 || code >= column.categories.length);
    case "boolean":
      return column.values.findIndex((value) => value !== 0 && value !== 1 && !Number.isNaN(value));
    case "timestamp":
      return column.values.findIndex((value) => !Number.isNaN(value) && !isWithinYears(value));
    default:
      return column.values.findIndex((value) => Math.abs(value) > NUMBER_MAX);
  }
}
