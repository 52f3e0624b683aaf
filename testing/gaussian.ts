import { seededRandom } from "#lib/engine/learners/seeded-random";

/** Returns a generator of standard normal numbers. */
export function gaussian(seed: number): () => number {
  const random = seededRandom(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
