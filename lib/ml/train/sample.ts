import type { SeededRandom } from "#lib/engine/learners/seeded-random";

/** Marks `part` of the rows by 1 and the others by 0. */
export function sampleRows(inSample: Uint8Array, part: number, random: SeededRandom): void {
  if (part === 1) return;
  const rows = inSample.length;
  inSample.fill(0);
  for (const row of random.sample(rows, Math.max(1, Math.round(rows * part)))) inSample[row] = 1;
}

/** `part` of the features, at least one. */
export function sampleFeatures(usable: Int32Array, part: number, random: SeededRandom): Int32Array {
  if (part === 1) return usable;
  const count = Math.max(1, Math.round(usable.length * part));
  return random.sample(usable.length, count).map((at) => usable[at]!);
}
