import fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom } from "./seeded-random.ts";

test("the same seed gives the same sequence, another seed another", () => {
  const take = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 10 }, () => random.next());
  };
  expect(take(5)).toEqual(take(5));
  expect(take(5)).not.toEqual(take(6));
});

test("numbers spread evenly over [0, 1)", () => {
  const random = seededRandom(0);
  const counts = new Array<number>(10).fill(0);
  for (let i = 0; i < 100_000; i++) counts[Math.floor(random.next() * 10)]! += 1;
  // Six standard deviations of a binomial with 100,000 draws.
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(570);
});

test("a sample has as many as asked, ascending, of those there are", () => {
  const asked = fc
    .integer({ min: 1, max: 100 })
    .chain((total) =>
      fc.record({ total: fc.constant(total), count: fc.integer({ min: 0, max: total }), seed: fc.integer() }),
    );
  fc.assert(
    fc.property(asked, ({ total, count, seed }) => {
      const sample = seededRandom(seed).sample(total, count);
      expect(sample).toHaveLength(count);
      sample.forEach((value, at) => {
        expect(value).toBeGreaterThan(at === 0 ? -1 : sample[at - 1]!);
        expect(value).toBeLessThan(total);
      });
    }),
  );
});
