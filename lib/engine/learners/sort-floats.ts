const DIGIT_BITS = 11;
const DIGITS = 3;
const BUCKETS = 1 << DIGIT_BITS;

/**
 * Returns the values that are not NaN in ascending order, with -0 before 0. Sorts the bit patterns, which have
 * integer order once the sign is mapped, digit by digit from the lowest (radix sort). This is several times faster
 * than a comparison sort.
 */
export function sortFloats(values: Float32Array): Float32Array {
  let keys = orderedKeys(values);
  let spare = new Uint32Array(keys.length);
  for (let digit = 0; digit < DIGITS; digit++) {
    sortByDigit(keys, spare, digit * DIGIT_BITS);
    [keys, spare] = [spare, keys];
  }
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    keys[i] = key >= 0x8000_0000 ? key ^ 0x8000_0000 : ~key;
  }
  return new Float32Array(keys.buffer, 0, keys.length);
}

function orderedKeys(values: Float32Array): Uint32Array<ArrayBuffer> {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const keys = new Uint32Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    // The bit patterns of negative numbers are in descending order.
    keys[count] = bits[i]! >= 0x8000_0000 ? ~bits[i]! : bits[i]! ^ 0x8000_0000;
    if (!Number.isNaN(values[i])) count++;
  }
  return keys.subarray(0, count);
}

/** Writes the keys to `sorted` in the order of one digit; equal digits keep their order. */
function sortByDigit(keys: Uint32Array, sorted: Uint32Array, shift: number): void {
  const places = new Uint32Array(BUCKETS);
  for (let i = 0; i < keys.length; i++) places[(keys[i]! >>> shift) & (BUCKETS - 1)]!++;
  let next = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const size = places[bucket]!;
    places[bucket] = next;
    next += size;
  }
  for (let i = 0; i < keys.length; i++) sorted[places[(keys[i]! >>> shift) & (BUCKETS - 1)]!++] = keys[i]!;
}
