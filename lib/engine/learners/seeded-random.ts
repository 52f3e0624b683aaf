/**
 * Reproducible random numbers: xoshiro128** (Blackman and Vigna, 2018), with a state filled from the seed by
 * splitmix32. The same seed gives the same sequence on every machine, because only integer operations are used.
 */
export type SeededRandom = {
  /** Uniform in [0, 1), 32 bits of resolution. */
  next(): number;
  /** Uniform integer in [0, below). */
  below(below: number): number;
  /** `count` of the integers 0 … `total` - 1, ascending, each subset equally likely (Knuth's algorithm S). */
  sample(total: number, count: number): Int32Array;
  /** Shuffles the values in place and returns them (Fisher and Yates 1938). */
  shuffle(values: Int32Array): Int32Array;
};

export function seededRandom(seed: number): SeededRandom {
  let mixed = seed | 0;
  const nextMixed = () => {
    mixed = (mixed + 0x9e3779b9) | 0;
    let z = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return z ^ (z >>> 15);
  };
  let a = nextMixed();
  let b = nextMixed();
  let c = nextMixed();
  let d = nextMixed();

  const next = () => {
    const scrambled = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9);
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return (scrambled >>> 0) / 4294967296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const sample = (total: number, count: number) => {
    const chosen = new Int32Array(count);
    let taken = 0;
    for (let i = 0; i < total && taken < count; i++) {
      // Write unconditionally: processors would mispredict a branch here.
      chosen[taken] = i;
      taken += Number(next() * (total - i) < count - taken);
    }
    return chosen;
  };
  const shuffle = (values: Int32Array) => {
    for (let last = values.length - 1; last > 0; last--) {
      const other = below(last + 1);
      [values[last], values[other]] = [values[other]!, values[last]!];
    }
    return values;
  };
  return { next, below, sample, shuffle };
}

function rotateLeft(value: number, bits: number) {
  return (value << bits) | (value >>> (32 - bits));
}
