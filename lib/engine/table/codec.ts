import type { Column, ColumnType, Table } from "#lib/contract/table";

/**
 * Format of a table: "MPT1", the header's length (uint32), the header (JSON), then each column's values. Every part
 * starts at a multiple of 8 bytes and is little-endian. A column uses the narrowest encoding that preserves every
 * value to the bit (a missing value needs a float; codes and booleans are mostly one byte). The header holds names as
 * values, never as keys, so `__proto__` is a valid name.
 */
const MAGIC = 0x3154504d; // "MPT1", read as a little-endian uint32
const VERSION = 1;

type ColumnHeader = { name: string; type: ColumnType; encoding: Encoding; categories?: string[] };
type Header = { version: number; rowCount: number; columns: ColumnHeader[] };

export function encodeTable(table: Table): Uint8Array {
  return joined(encodeParts(table));
}

/** Encodes a table in pieces to concatenate. Some pieces share memory with columns, which must not change meanwhile. */
export function encodeParts(table: Table): Uint8Array[] {
  const sources = table.columns.map((column) => (column.type === "category" ? column.codes : column.values));
  const encodings = sources.map(narrowestEncoding);
  const header: Header = {
    version: VERSION,
    rowCount: table.rowCount,
    columns: table.columns.map((column, i) => ({
      name: column.name,
      type: column.type,
      encoding: encodings[i]!,
      ...(column.type === "category" ? { categories: column.categories } : {}),
    })),
  };
  const json = new TextEncoder().encode(JSON.stringify(header));
  const start = new Uint8Array(padded(8 + json.length));
  const view = new DataView(start.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, json.length, true);
  start.set(json, 8);
  const blocks = sources.flatMap((values, i) => {
    const block = writeValues(values, encodings[i]!);
    const padding = padded(block.length) - block.length;
    return padding === 0 ? [block] : [block, new Uint8Array(padding)];
  });
  return [start, ...blocks];
}

/** Decodes the output of `encodeTable`. @throws {RangeError} for a wrong mark, version or length */
export function decodeTable(bytes: Uint8Array): Table {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8 || view.getUint32(0, true) !== MAGIC)
    throw new RangeError("The bytes are not a table.");
  const headerLength = view.getUint32(4, true);
  if (8 + headerLength > bytes.length) throw new RangeError("The table is truncated in its header.");
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + headerLength))) as Header;
  if (header.version !== VERSION) throw new RangeError(`Table version ${header.version} is not supported.`);
  let offset = padded(8 + headerLength);
  const columns = header.columns.map((column): Column => {
    const { values, byteLength } = readValues(bytes, offset, header.rowCount, column.encoding);
    offset += padded(byteLength);
    const { name, type } = column;
    if (type !== "category") return { name, type, values };
    return { name, type, codes: Int32Array.from(values), categories: column.categories ?? [] };
  });
  return { rowCount: header.rowCount, columns };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

function padded(size: number): number {
  return (size + 7) & ~7;
}

/**
 * Encoding of a column's values: integers if all values are whole and present, otherwise floats. The bytes are
 * little-endian, the byte order of all machines that ONNX Runtime supports.
 */
type Encoding = "i8" | "i16" | "i32" | "f32" | "f64";

const INTEGER_LIMITS: readonly [Encoding, number][] = [
  ["i8", 2 ** 7],
  ["i16", 2 ** 15],
  ["i32", 2 ** 31],
];

const ARRAY_TYPES = { i8: Int8Array, i16: Int16Array, i32: Int32Array, f32: Float32Array, f64: Float64Array };

/** Returns the narrowest encoding that preserves every value to the bit, including negative zero and NaN. */
function narrowestEncoding(values: Float64Array | Int32Array): Encoding {
  let integers = true;
  let singles = true;
  let lowest = 0;
  let highest = 0;
  for (const value of values) {
    if (integers && !(Number.isInteger(value) && !Object.is(value, -0))) integers = false;
    if (singles && !Object.is(Math.fround(value), value)) singles = false;
    if (!integers && !singles) return "f64";
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  if (integers) {
    const fitting = INTEGER_LIMITS.find(([, limit]) => lowest >= -limit && highest < limit);
    if (fitting) return fitting[0];
  }
  return singles ? "f32" : "f64";
}

/** Encodes values. Returns their own memory if it already has that encoding. */
function writeValues(values: Float64Array | Int32Array, encoding: Encoding): Uint8Array {
  const type = ARRAY_TYPES[encoding];
  const typed = values instanceof type ? values : new type(values);
  return new Uint8Array(typed.buffer, typed.byteOffset, typed.byteLength);
}

/** Decodes `count` values from `offset`. @throws {RangeError} if the bytes end early or the encoding is unknown */
function readValues(
  bytes: Uint8Array,
  offset: number,
  count: number,
  encoding: Encoding,
): { values: Float64Array; byteLength: number } {
  const type = Object.hasOwn(ARRAY_TYPES, encoding) ? ARRAY_TYPES[encoding] : undefined;
  if (!type) throw new RangeError(`Unknown value encoding "${encoding}".`);
  const byteLength = count * type.BYTES_PER_ELEMENT;
  if (offset + byteLength > bytes.length) throw new RangeError("The table is truncated in its values.");
  // `slice` of a Buffer copies nothing, so the values could start at any byte.
  const copy = Uint8Array.prototype.slice.call(bytes, offset, offset + byteLength);
  const typed = new type(copy.buffer, copy.byteOffset, count);
  return { values: typed instanceof Float64Array ? typed : new Float64Array(typed), byteLength };
}
