/** Typed arrays of packed values, in the order of their codes. */
const types = [
  Float64Array,
  Float32Array,
  Int32Array,
  Uint32Array,
  Int16Array,
  Uint16Array,
  Int8Array,
  Uint8Array,
];

type Packed = { $array: [type: number, start: number, length: number] };

const aligned = (bytes: number) => (bytes + 7) & ~7;

/**
 * Packs plain data with typed arrays: the length of the JSON text (uint32), the text padded to 8 bytes, and the arrays, each
 * from a multiple of 8 bytes. Arrays keep the byte order of the machine, little-endian on all that browsers and Node.js
 * support.
 *
 * @param value objects and arrays of JSON values and typed arrays; `undefined` is left out
 * @throws {RangeError} for a number outside of arrays that is not finite
 */
export function pack(value: unknown): Uint8Array<ArrayBuffer> {
  const arrays: Uint8Array[] = [];
  let size = 0;
  const json = JSON.stringify(value, (key, one: unknown) => {
    if (typeof one === "number" && !Number.isFinite(one)) throw new RangeError(`${key} is ${one}.`);
    if (!ArrayBuffer.isView(one)) return one;
    const type = types.findIndex((known) => one instanceof known);
    const start = size;
    arrays.push(new Uint8Array(one.buffer, one.byteOffset, one.byteLength));
    size = aligned(size + one.byteLength);
    return { $array: [type, start, one.byteLength / types[type]!.BYTES_PER_ELEMENT] } satisfies Packed;
  });
  const text = new TextEncoder().encode(json);
  const first = aligned(4 + text.length);
  const packed = new Uint8Array(first + size);
  new DataView(packed.buffer).setUint32(0, text.length, true);
  packed.set(text, 4);
  let start = first;
  for (const array of arrays) {
    packed.set(array, start);
    start = aligned(start + array.length);
  }
  return packed;
}

/** Returns the value that `pack` packed. Its arrays share the memory of `packed`. */
export function unpack<T>(packed: ArrayBuffer): T {
  const length = new DataView(packed).getUint32(0, true);
  const first = aligned(4 + length);
  const text = new TextDecoder().decode(new Uint8Array(packed, 4, length));
  return JSON.parse(text, (_, one: Packed | null) => {
    if (typeof one !== "object" || one === null || !("$array" in one)) return one;
    const [type, start, count] = one.$array;
    return new types[type]!(packed, first + start, count);
  }) as T;
}
