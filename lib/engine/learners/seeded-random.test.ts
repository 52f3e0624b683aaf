import fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom } from "./seeded-random.ts";

test("the same seed gives the same sequence, and another seed a different one", () => {
  const take = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 10 }, () => random.next());
  };
  expect(take(5)).toEqual(take(5));
  expect(take(5)).not.toEqual(take(6));
});

test("numbers are uniform in [0, 1)", () => {
  const random = seededRandom(0);
  const counts = new Array<number>(10).fill(0);
  for (let i = 0; i < 100_000; i++) counts[Math.floor(random.next() * 10)]! += 1;
  // Six standard deviations of a binomial distribution with 100,000 draws.
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(570);
});

test("a sample has the requested number of distinct integers, in ascending order and in range", () => {
  const requests = fc
    .integer({ min: 1, max: 100 })
    .chain((total) =>
      fc.record({ total: fc.constant(total), count: fc.integer({ min: 0, max: total }), seed: fc.integer() }),
    );
  fc.assert(
    fc.property(requests, ({ total, count, seed }) => {
      const sample = seededRandom(seed).sample(total, count);
      expect(sample).toHaveLength(count);
      sample.forEach((value, at) => {
        expect(value).toBeGreaterThan(at === 0 ? -1 : sample[at - 1]!);
        expect(value).toBeLessThan(total);
      });
    }),
  );
});
