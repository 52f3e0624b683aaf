import { gunzipSync } from "fflate";
import { decompress as unpackZstd } from "fzstd";
import type { ColumnMetaData, Compressors, DecodedArray, PageHeader, SchemaElement } from "hyparquet";
import { decompressPage } from "hyparquet/src/datapage.js";
import { deltaBinaryUnpack, deltaLengthByteArray } from "hyparquet/src/delta.js";
import { byteStreamSplit } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
import { brokenParquet } from "./broken-parquet.ts";
import { readRuns } from "./read-runs.ts";

/** Only in the service, which stops as soon as a page unpacks to more than it declares. Pages preview the user's own file. */
const zlib = globalThis.process?.getBuiltinModule?.("node:zlib");
const upTo = (bytes: number) => ({ maxOutputLength: Math.max(1, bytes) });

const compressors: Compressors = {
  GZIP: (packed, bytes) =>
    zlib?.gunzipSync(packed, upTo(bytes)) ?? gunzipSync(packed, { out: new Uint8Array(bytes) }),
  ZSTD: (packed, bytes) =>
    zlib?.zstdDecompressSync(packed, upTo(bytes)) ?? unpackZstd(packed, new Uint8Array(bytes)),
};

/** Encodings that the reader knows. DELTA_BYTE_ARRAY is not among them, because a few bytes of it may stand for gigabytes. */
export const ENCODINGS: readonly string[] = [
  "PLAIN",
  "RLE",
  "PLAIN_DICTIONARY",
  "RLE_DICTIONARY",
  "BYTE_STREAM_SPLIT",
  "DELTA_BINARY_PACKED",
  "DELTA_LENGTH_BYTE_ARRAY",
];

type Chunk = { element: SchemaElement; facts: Pick<ColumnMetaData, "codec"> };

const unpack = (bytes: Uint8Array, size: number, { facts }: Chunk) =>
  decompressPage(bytes, size, facts.codec, compressors);

/** Returns the values of a dictionary as they are stored. */
export function readDictionary(packed: Uint8Array, header: PageHeader, chunk: Chunk): DecodedArray {
  const count = header.dictionary_page_header?.num_values ?? 0;
  const bytes = unpack(packed, header.uncompressed_page_size, chunk);
  return plain(bytes, count, chunk.element);
}

/** Returns the values of a page as they are stored, those of the dictionary as its cells, and undefined for null. */
export function readPageValues(
  packed: Uint8Array,
  header: PageHeader,
  chunk: Chunk,
  dictionary: readonly (number | string)[] | undefined,
): DecodedArray {
  const { levels, bytes, encoding, count } = partsOf(packed, header, chunk);
  let present = count;
  if (levels !== null) present = levels.reduce((sum, level) => sum + level, 0);
  const values = decode(bytes, present, encoding, chunk.element, dictionary);
  if (values.length !== present) throw brokenParquet();
  if (present === count) return values;
  const all: unknown[] = [];
  let at = 0;
  for (let row = 0; row < count; row++) all.push(levels![row] === 1 ? values[at++] : undefined);
  return all;
}

/** Splits a page into levels, which are 1 for a value and 0 for null, and the bytes of the values. */
function partsOf(packed: Uint8Array, header: PageHeader, chunk: Chunk) {
  const isOptional = chunk.element.repetition_type === "OPTIONAL";
  const { data_page_header: first, data_page_header_v2: second, uncompressed_page_size: size } = header;
  if (first !== undefined) {
    const bytes = unpack(packed, size, chunk);
    const { num_values: count, encoding } = first;
    if (!isOptional) return { levels: null, bytes, encoding, count };
    const length = lengthAt(bytes);
    const levels = readRuns(bytes.subarray(4, 4 + length), 1, count);
    return { levels, bytes: bytes.subarray(4 + length), encoding, count };
  }
  if (second === undefined) throw brokenParquet();
  const { num_values: count, encoding, is_compressed: isPacked } = second;
  const { repetition_levels_byte_length: skipped, definition_levels_byte_length: length } = second;
  if (!(skipped >= 0 && length >= 0)) throw brokenParquet();
  const start = skipped + length;
  const levels = isOptional ? readRuns(packed.subarray(skipped, start), 1, count) : null;
  const rest = packed.subarray(start);
  const bytes = isPacked === false ? rest : unpack(rest, size - start, chunk);
  return { levels, bytes, encoding, count };
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const lengthAt = (bytes: Uint8Array) => viewOf(bytes).getUint32(0, true);

const plain = (bytes: Uint8Array, count: number, { type, type_length }: SchemaElement) =>
  readPlain({ view: viewOf(bytes), offset: 0 }, type!, count, type_length);

function decode(
  bytes: Uint8Array,
  count: number,
  encoding: string,
  element: SchemaElement,
  dictionary: readonly (number | string)[] | undefined,
): DecodedArray {
  if (count === 0) return [];
  const { type, type_length } = element;
  const reader = { view: viewOf(bytes), offset: 0 };
  switch (encoding) {
    case "PLAIN":
      return plain(bytes, count, element);
    case "RLE":
      if (type !== "BOOLEAN") throw brokenParquet();
      return Array.from(readRuns(bytes.subarray(4, 4 + lengthAt(bytes)), 1, count), (bit) => bit === 1);
    case "PLAIN_DICTIONARY":
    case "RLE_DICTIONARY":
      return Array.from(readRuns(bytes.subarray(1), bytes[0] ?? 0, count), (index) => {
        const cell = dictionary?.[index];
        if (cell === undefined) throw brokenParquet();
        return cell;
      });
    case "BYTE_STREAM_SPLIT":
      return byteStreamSplit(reader, count, type!, type_length);
    case "DELTA_BINARY_PACKED": {
      const values = type === "INT32" ? new Int32Array(count) : new BigInt64Array(count);
      deltaBinaryUnpack(reader, count, values);
      return values;
    }
    case "DELTA_LENGTH_BYTE_ARRAY": {
      const texts: Uint8Array[] = [];
      deltaLengthByteArray(reader, count, texts);
      return texts;
    }
    default:
      throw brokenParquet();
  }
}
