import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { medianInPlace } from "#lib/engine/statistics/quantile";
import { HISTOGRAM_BINS, LISTED_CATEGORIES_MAX, profileColumn } from "./profile.ts";

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const cells = fc.array(fc.oneof({ weight: 5, arbitrary: finite }, fc.constant(Number.NaN)), {
  maxLength: 60,
});

function profileOf(values: number[]) {
  return profileColumn({ name: "x", type: "number", values: Float64Array.from(values) });
}

describe("profileColumn", () => {
  it("returns the extremes, a mean and median between them, and a histogram of all values", () => {
    fc.assert(
      fc.property(cells, (values) => {
        const present = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
        const profile = profileOf(values);
        expect(profile.missing).toBe(values.length - present.length);
        if (present.length === 0) {
          expect(profile).toMatchObject({ min: null, max: null, mean: null, median: null, histogram: null });
          return;
        }
        expect(profile.min! + 0).toBe(present[0]! + 0);
        expect(profile.max! + 0).toBe(present.at(-1)! + 0);
        expect(profile.mean).toBeGreaterThanOrEqual(profile.min!);
        expect(profile.mean).toBeLessThanOrEqual(profile.max!);
        expect(profile.median).toBeGreaterThanOrEqual(profile.min!);
        expect(profile.median).toBeLessThanOrEqual(profile.max!);
        expect(profile.histogram!.length).toBeLessThanOrEqual(HISTOGRAM_BINS);
        expect(profile.histogram!.reduce((sum, count) => sum + count, 0)).toBe(present.length);
      }),
    );
  });

  it("computes the mean of whole numbers to rounding", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 50 }),
        (values) => {
          const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
          expect(profileOf(values).mean).toBeCloseTo(mean, 6);
        },
      ),
    );
  });

  it("puts values in bins of equal width, and the largest in the last bin", () => {
    const counts = profileOf([0, 1, 19, 20, 10.5]).histogram!;
    expect([counts[0], counts[1], counts[10], counts[19]]).toEqual([1, 1, 1, 2]);
    expect(profileOf([7.5, 7.5]).histogram).toEqual([2, ...new Array(19).fill(0)]);
  });

  it("puts equally many whole numbers in each bin, so that equal frequencies look equal", () => {
    const whole = (length: number) => profileOf(Array.from({ length }, (_, value) => value - 3)).histogram;
    expect(whole(1)).toEqual([1]);
    expect(whole(24)).toEqual(new Array(12).fill(2));
    for (let bins = 1; bins <= HISTOGRAM_BINS; bins++)
      expect(new Set(whole(5 * bins)!.slice(0, -1)).size).toBeLessThanOrEqual(1);
  });

  it("lists at most 1,000 categories by frequency, with the counts of the most frequent", () => {
    const categories = Array.from({ length: 1500 }, (_, index) => `c${index}`);
    const codes = Int32Array.from([7, 7, 3, -1, ...categories.keys()]);
    const profile = profileColumn({ name: "c", type: "category", codes, categories });
    expect(profile.categories).toHaveLength(LISTED_CATEGORIES_MAX);
    expect(profile.categories!.slice(0, 3)).toEqual(["c7", "c3", "c0"]);
    expect(profile.histogram).toEqual([3, 2, ...new Array(18).fill(1)]);
    expect(profile).toMatchObject({ name: "c", type: "category", missing: 1, min: null });
  });
});

describe("medianInPlace", () => {
  it("equals the median of the sorted values", () => {
    const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer()), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(values, (numbers) => {
        const sorted = numbers.toSorted((a, b) => a - b);
        const middle = sorted.length >> 1;
        const expected =
          sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
        expect(medianInPlace(Float64Array.from(numbers), numbers.length)).toBe(expected + 0);
      }),
    );
  });

  it("is NaN without values", () => {
    expect(medianInPlace(new Float64Array(0), 0)).toBeNaN();
  });
});
