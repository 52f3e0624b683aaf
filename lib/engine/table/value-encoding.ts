/**
 * Encoding of a column's values: integers if all values are whole and present, otherwise floats. The bytes are
 * little-endian, the byte order of all machines that ONNX Runtime supports.
 */
export type Encoding = "i8" | "i16" | "i32" | "f32" | "f64";

const INTEGER_LIMITS: readonly [Encoding, number][] = [
  ["i8", 2 ** 7],
  ["i16", 2 ** 15],
  ["i32", 2 ** 31],
];

const ARRAY_TYPES = { i8: Int8Array, i16: Int16Array, i32: Int32Array, f32: Float32Array, f64: Float64Array };

/** Returns the narrowest encoding that preserves every value to the bit, including negative zero and NaN. */
export function narrowestEncoding(values: Float64Array | Int32Array): Encoding {
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
export function writeValues(values: Float64Array | Int32Array, encoding: Encoding): Uint8Array {
  const type = ARRAY_TYPES[encoding];
  const typed = values instanceof type ? values : new type(values);
  return new Uint8Array(typed.buffer, typed.byteOffset, typed.byteLength);
}

/** Decodes `count` values from `offset`. @throws {RangeError} if the bytes end early or the encoding is unknown */
export function readValues(
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
