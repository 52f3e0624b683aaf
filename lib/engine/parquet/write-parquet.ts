import type { ColumnChunk, DecodedArray, SchemaElement } from "hyparquet";
import { parquetSchema } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { writeColumn } from "hyparquet-writer/src/column.js";
import { encodeNestedValues } from "hyparquet-writer/src/dremel.js";
import type { Column, Table } from "#lib/contract/table";
import { sliceRows } from "#lib/engine/table/rows";

/** Rows of a row group. Wide tables get fewer, because a group is in memory at once. */
const GROUP_ROWS = { most: 32_768, least: 1_000 };
const GROUP_VALUES = 2_000_000;

/**
 * Writes a table as Parquet: doubles, booleans, times as UTC milliseconds, and texts with a dictionary. Missing values are
 * null. Yields after each column of a row group, which takes some milliseconds, so that the caller can do other work. Only one
 * row group is in memory at a time.
 *
 * @param tables the rows in order, with the same columns; at least one table, which may have no rows
 * @throws the errors of `tables`; for the first table before any output
 */
export async function* writeParquet(
  tables: AsyncIterable<Table> | Iterable<Table>,
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  let file: ParquetWriter | null = null;
  for await (const group of rowGroups(tables)) {
    file ??= new ParquetWriter({ writer, schema: schemaOf(group[0]!.columns) });
    if (group.some(({ rowCount }) => rowCount > 0)) yield* writeGroup(file, writer, group);
  }
  if (file === null) throw new Error("A Parquet file needs the columns of a table");
  file.finish();
  yield taken(writer);
}

/** Returns what was written since the last call. The writer keeps its position in the file. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}

/** Cuts the tables into row groups, each a list of parts. The first one may have no rows. */
async function* rowGroups(tables: AsyncIterable<Table> | Iterable<Table>): AsyncGenerator<Table[]> {
  let parts: Table[] = [];
  let count = 0;
  let isFirst = true;
  for await (const table of tables) {
    const byValues = Math.floor(GROUP_VALUES / Math.max(1, table.columns.length));
    const most = Math.max(GROUP_ROWS.least, Math.min(GROUP_ROWS.most, byValues));
    if (parts.length === 0) parts.push(sliceRows(table, 0, 0));
    for (let from = 0; from < table.rowCount; ) {
      const to = Math.min(table.rowCount, from + most - count);
      parts.push(sliceRows(table, from, to));
      count += to - from;
      from = to;
      if (count < most) continue;
      yield parts;
      isFirst = false;
      parts = [sliceRows(table, 0, 0)];
      count = 0;
    }
  }
  if (count > 0 || (isFirst && parts.length > 0)) yield parts;
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  const types = {
    number: { type: "DOUBLE" },
    boolean: { type: "BOOLEAN" },
    category: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
    timestamp: {
      type: "INT64",
      converted_type: "TIMESTAMP_MILLIS",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
    },
  } as const;
  return [
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, type }) => ({ name, repetition_type: "OPTIONAL" as const, ...types[type] })),
  ];
}

/** Writes one row group as `ParquetWriter.write` does, but column by column. */
function* writeGroup(
  file: ParquetWriter,
  writer: ByteWriter,
  parts: readonly Table[],
): Generator<Uint8Array> {
  const rowCount = parts.reduce((sum, part) => sum + part.rowCount, 0);
  const root = parquetSchema({ schema: file.schema });
  const start = writer.offset;
  const chunks: ColumnChunk[] = [];
  for (const [index, leaf] of root.children.entries()) {
    const data = valuesOf(parts.map(({ columns }) => columns[index]!));
    const isText = parts[0]!.columns[index]!.type === "category";
    const written = writeColumn({
      writer,
      column: {
        columnName: leaf.element.name,
        element: leaf.element,
        schemaPath: [root.element, leaf.element],
        codec: "SNAPPY",
        compressors: { SNAPPY: file.compressors.SNAPPY },
        stats: true,
        pageSize: 1 << 20,
        columnIndex: false,
        offsetIndex: false,
        // Without an encoding, a dictionary is tried for numbers, too, which takes longer than writing them.
        ...(!isText && leaf.element.type !== "BOOLEAN" && { encoding: "PLAIN" as const }),
      },
      pageData: encodeNestedValues([root, leaf], data),
    });
    chunks.push(written.chunk);
    file.pendingIndexes.push(written);
    yield taken(writer);
  }
  const bytes = chunks.reduce((sum, chunk) => sum + (chunk.meta_data?.total_uncompressed_size ?? 0n), 0n);
  file.num_rows += BigInt(rowCount);
  file.row_groups.push({
    columns: chunks,
    total_byte_size: bytes,
    num_rows: BigInt(rowCount),
    total_compressed_size: BigInt(writer.offset - start),
  });
}

/** Returns the values of a column over all parts; null where they are missing. */
function valuesOf(parts: readonly Column[]): DecodedArray {
  const values: unknown[] = [];
  for (const part of parts) {
    if (part.type === "category") {
      const { codes, categories } = part;
      for (const code of codes) values.push(categories[code] ?? null);
    } else if (part.type === "timestamp") {
      for (const at of part.values) values.push(Number.isNaN(at) ? null : BigInt(Math.trunc(at)));
    } else if (part.type === "boolean") {
      for (const value of part.values) values.push(Number.isNaN(value) ? null : value === 1);
    } else {
      for (const value of part.values) values.push(Number.isNaN(value) ? null : value);
    }
  }
  return values;
}
