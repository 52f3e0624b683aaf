import {
  type ColumnChunk,
  type FileMetaData,
  parquetMetadata,
  parquetSchema,
  type SchemaElement,
} from "hyparquet";
import { limits } from "#lib/contract/limits";
import { UnreadableFileError } from "#lib/engine/csv/unreadable-file";
import { brokenParquet } from "./broken-parquet.ts";
import { PageBudget } from "./pages.ts";
import { type ParquetColumn, toCellOf } from "./to-cell.ts";

/** The metadata of a file is parsed into objects that are many times as large. */
const METADATA_BYTES = 16 * 1_048_576;
/** Compressions that the reader unpacks. */
const CODECS = ["UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD"];

export type ParquetFile = {
  columns: ParquetColumn[];
  rowCount: number;
  groups: { rowCount: number; chunks: NonNullable<ColumnChunk["meta_data"]>[] }[];
};

/**
 * Reads the description of a Parquet file, and the sizes of all its pages. So a file that is cut off, nested or too large
 * is rejected before anything is unpacked.
 *
 * @throws {UnreadableFileError}
 */
export function openParquet(bytes: Uint8Array, limitBytes: number = limits.unpackedBytes): ParquetFile {
  const metadata = readMetadata(bytes);
  const columns = columnsOf(metadata);
  const budget = new PageBudget(bytes, limitBytes);
  const groups = metadata.row_groups.map(({ columns: chunks, num_rows }) => {
    const rowCount = Number(num_rows);
    if (chunks.length !== columns.length || !(rowCount >= 0)) throw brokenParquet();
    return {
      rowCount,
      chunks: chunks.map((chunk, index) => {
        const { name } = columns[index]!;
        const facts = factsOf(chunk, name);
        budget.check(name, facts, rowCount);
        return facts;
      }),
    };
  });
  const rowCount = groups.reduce((sum, group) => sum + group.rowCount, 0);
  return { columns, rowCount, groups };
}

function readMetadata(bytes: Uint8Array): FileMetaData {
  const end = bytes.subarray(-8);
  const ending = new TextDecoder("latin1").decode(end.subarray(4));
  if (ending === "PARE") {
    const message = "The Parquet file is encrypted. Write it without encryption.";
    throw new UnreadableFileError("broken_parquet", message);
  }
  if (bytes.length < 12 || ending !== "PAR1") throw brokenParquet();
  const length = new DataView(end.buffer, end.byteOffset).getUint32(0, true);
  if (length > METADATA_BYTES) {
    const message = `The Parquet file describes its columns and row groups in more than ${METADATA_BYTES / 1_048_576} MiB. Write larger row groups.`;
    throw new UnreadableFileError("parquet_too_large", message);
  }
  try {
    return parquetMetadata(bytes, { geoparquet: false });
  } catch (error) {
    throw brokenParquet(error);
  }
}

function columnsOf({ schema }: FileMetaData): ParquetColumn[] {
  let leaves: { element: SchemaElement; children: unknown[] }[];
  try {
    leaves = parquetSchema({ schema }).children;
  } catch (error) {
    throw brokenParquet(error);
  }
  return leaves.map(({ element, children }) => {
    const { name } = element;
    if (children.length > 0 || element.repetition_type === "REPEATED") {
      const message = `Column "${name}" holds lists or structures. Write one column for each value.`;
      throw new UnreadableFileError("nested_column", message, undefined, { column: name });
    }
    const toCell = toCellOf(element);
    if (toCell === null) {
      const type = element.logical_type?.type ?? element.converted_type ?? element.type;
      const message = `Column "${name}" has the type ${type}, which is no number, text or time. Leave it out, or write it as text.`;
      throw new UnreadableFileError("unsupported_type", message, undefined, { column: name });
    }
    return { name, element, toCell };
  });
}

function factsOf({ meta_data: facts, file_path }: ColumnChunk, name: string) {
  if (facts === undefined || file_path) {
    const message = `Column "${name}" is encrypted, or in another file. Write one file without encryption.`;
    throw new UnreadableFileError("broken_parquet", message, undefined, { column: name });
  }
  if (facts.path_in_schema.length !== 1 || facts.path_in_schema[0] !== name) throw brokenParquet();
  if (!CODECS.includes(facts.codec)) {
    const message = `Column "${name}" is compressed with ${facts.codec}. Write the file with Snappy, gzip or Zstandard.`;
    throw new UnreadableFileError("unsupported_compression", message, undefined, { column: name });
  }
  return facts;
}
