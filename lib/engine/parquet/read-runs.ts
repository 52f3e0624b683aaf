import { brokenParquet } from "./broken-parquet.ts";

/** Dictionaries of more entries do not fit into a page. */
const WIDTH_MAX = 24;

/**
 * Reads small numbers that are stored as runs of one value, or packed into bits (the RLE and bit-packing hybrid of Parquet).
 * A run ends at `count`, even if it declares more values: a few bytes may declare a billion.
 *
 * @param width bits of a number
 * @throws {UnreadableFileError}
 */
export function readRuns(bytes: Uint8Array, width: number, count: number): Int32Array {
  if (width > WIDTH_MAX) throw brokenParquet();
  const values = new Int32Array(count);
  let at = 0;
  const next = () => {
    const byte = bytes[at++];
    if (byte === undefined) throw brokenParquet();
    return byte;
  };
  for (let made = 0; made < count; ) {
    let header = 0;
    for (let shift = 0, byte = 128; byte >= 128; shift += 7) {
      if (shift > 28) throw brokenParquet();
      byte = next();
      header += (byte & 127) * 2 ** shift;
    }
    const length = Math.floor(header / 2);
    if (length === 0) throw brokenParquet();
    if (header % 2 === 0) {
      let value = 0;
      for (let shift = 0; shift < width; shift += 8) value |= next() << shift;
      const end = Math.min(count, made + length);
      values.fill(value, made, end);
      made = end;
      continue;
    }
    const end = Math.min(count, made + 8 * length);
    const mask = 2 ** width - 1;
    const start = at;
    for (let held = 0, bits = 0; made < end; made++) {
      for (; bits < width; bits += 8) held |= next() << bits;
      values[made] = held & mask;
      held >>>= width;
      bits -= width;
    }
    at = start + length * width;
  }
  return values;
}
