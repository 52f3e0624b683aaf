import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gaussian } from "#testing/gaussian";
import { type Calibration, calibrate, computeIntervals } from "./conformal.ts";
import { boundsAtLevel, squaredWidths, sumInflation } from "./shape.ts";
import { sumBounds } from "./total-intervals.ts";

const STEPS = 28;
const LEVELS = [0.5, 0.8, 0.9, 0.95];

/** Errors of one forecast: each kind continues from a new start. */
const kinds: Record<string, (noise: () => number) => number[]> = {
  independent: (noise) => Array.from({ length: STEPS }, noise),
  autocorrelated: (noise) => {
    let last = noise() / 0.6;
    return Array.from({ length: STEPS }, () => {
      last = 0.8 * last + noise();
      return last;
    });
  },
  "a random walk": (noise) => {
    let last = 0;
    return Array.from({ length: STEPS }, () => {
      last += noise();
      return last;
    });
  },
};

const steps = Int32Array.from({ length: STEPS }, (_, i) => i + 1);
const predicted = new Float64Array(STEPS).fill(100);
const actual = (errors: readonly number[]) => Float64Array.from(errors, (error) => 100 + error);

function calibration(errorsOf: (noise: () => number) => number[], noise: () => number): Calibration {
  const origins = Array.from({ length: 40 }, (_, i) => ({
    actual: actual(errorsOf(noise)),
    predicted,
    steps,
    from: i * STEPS,
  }));
  return calibrate(origins, { order: "time", expectedStepPower: 0.25 })!;
}

describe.each(Object.entries(kinds))("intervals of %s errors", (_, errorsOf) => {
  const noise = gaussian(7);
  const runs = Array.from({ length: 60 }, () => {
    const fitted = calibration(errorsOf, noise);
    const { upper } = computeIntervals(fitted, predicted, steps);
    const futures = Array.from({ length: 20 }, () => actual(errorsOf(noise)));
    return { shape: fitted.shape!, upper, futures };
  });

  test.each(LEVELS)("cover single steps at level %f", (level) => {
    let [inside, count] = [0, 0];
    for (const { shape, upper, futures } of runs) {
      const { ratio } = shape.ratios.find((one) => one.level === level)!;
      const bounds = boundsAtLevel(predicted, upper, { floor: null, ratio });
      for (const future of futures) {
        future.forEach((value, i) => {
          if (value >= bounds.lower[i]! && value <= bounds.upper[i]!) inside++;
          count++;
        });
      }
    }
    expect(Math.abs(inside / count - level)).toBeLessThan(0.05);
  });

  test.each([1, 7, STEPS])("cover sums of %i steps at 90%", (length) => {
    let [inside, count] = [0, 0];
    for (const { shape, upper, futures } of runs) {
      const squares = squaredWidths(predicted.subarray(0, length), upper.subarray(0, length));
      const total = { sum: 100 * length, count: length, squaredWidths: squares.reduce((a, b) => a + b) };
      const { lower, upper: most } = sumBounds(total, shape)!;
      for (const future of futures) {
        const sum = future.slice(0, length).reduce((a, b) => a + b);
        if (sum >= lower && sum <= most) inside++;
        count++;
      }
    }
    expect(inside / count).toBeGreaterThan(0.86);
    expect(inside / count).toBeLessThan(0.95);
  });
});

test("sums of short forecasts from few origins are covered", () => {
  const [length, few] = [6, 8];
  const short = steps.subarray(0, length);
  const flat = predicted.subarray(0, length);
  for (const errorsOf of Object.values(kinds)) {
    const noise = gaussian(11);
    let [inside, count] = [0, 0];
    for (let run = 0; run < 300; run++) {
      const origins = Array.from({ length: few }, (_, i) => ({
        actual: actual(errorsOf(noise).slice(0, length)),
        predicted: flat,
        steps: short,
        from: i * length,
      }));
      const calibration = calibrate(origins, { order: "time", expectedStepPower: 0.25 })!;
      const squares = squaredWidths(flat, computeIntervals(calibration, flat, short).upper);
      const total = { sum: 100 * length, count: length, squaredWidths: squares.reduce((a, b) => a + b) };
      const { lower, upper } = sumBounds(total, calibration.shape!)!;
      for (let future = 0; future < 10; future++, count++) {
        const sum = actual(errorsOf(noise).slice(0, length)).reduce((a, b) => a + b);
        if (sum >= lower && sum <= upper) inside++;
      }
    }
    expect(inside / count).toBeGreaterThan(0.84);
    expect(inside / count).toBeLessThan(0.98);
  }
});

test("the inflation of a sum's variance is the sum of the correlations of its errors by their number", () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), part, part, (count, shared, fading) => {
      let sum = 0;
      for (let i = 0; i < count; i++)
        for (let j = 0; j < count; j++) sum += shared + (1 - shared) * fading ** Math.abs(i - j);
      expect(sumInflation(count, { shared, fading })).toBeCloseTo(sum / count, 3);
    }),
  );
});

test("sums of shapes from before keep their power", () => {
  const shape = { floor: null, ratios: [], sumPower: 0.5 };
  expect(sumBounds({ sum: 0, count: 4, squaredWidths: 4 }, shape)).toEqual({ lower: -4, upper: 4 });
});

test("independent errors count as several draws for each origin", () => {
  const widths = Array.from({ length: 40 }, (_, run) => {
    const noise = gaussian(100 + run);
    const origins = Array.from({ length: 20 }, (_, i) => ({
      actual: actual(kinds.independent!(noise)),
      predicted,
      steps,
      from: i * STEPS,
    }));
    const { upper } = computeIntervals(calibrate(origins, { order: "time" })!, predicted, steps);
    return upper.reduce((sum, value) => sum + value - 100, 0) / STEPS;
  });
  // The 90% quantile is 1.645. If each origin were one draw, the interval would need the 94.5% quantile, 1.92.
  expect(widths.reduce((sum, width) => sum + width, 0) / widths.length).toBeLessThan(1.75);
});

test("bounds widen with the level and stay above the floor", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 40, maxLength: 80 }),
      (values) => {
        const actualValues = Float64Array.from(values);
        const flat = new Float64Array(values.length).fill(10);
        const origins = [{ actual: actualValues, predicted: flat, steps: null }];
        const { shape, ...fitted } = calibrate(origins, { order: "random", floor: 0 })!;
        const { upper } = computeIntervals(fitted, flat, null);
        const widths = shape!.ratios.map(({ ratio }) => {
          const bounds = boundsAtLevel(flat, upper, { floor: 0, ratio });
          expect(bounds.lower.every((value) => value >= 0)).toBe(true);
          return bounds.upper[0]! - 10;
        });
        expect(widths).toEqual(widths.toSorted((a, b) => a - b));
        expect(sumBounds({ sum: 10, count: 1, squaredWidths: 1 }, shape!)).toBeNull();
      },
    ),
  );
});

test("intervals of random walks cover 85 to 95% in steps 201–280, far beyond the calibrated 28", () => {
  const noise = gaussian(11);
  const walk = (length: number) => {
    let level = 100;
    return Float64Array.from({ length }, () => {
      level += noise();
      return level;
    });
  };
  const far = Int32Array.from({ length: 80 }, (_, i) => 201 + i);
  const flat = new Float64Array(far.length).fill(100);
  let [inside, count] = [0, 0];
  for (let run = 0; run < 60; run++) {
    const origins = Array.from({ length: 24 }, (_, i) => ({
      actual: walk(STEPS),
      predicted,
      steps,
      from: i * STEPS,
    }));
    const fitted = calibrate(origins, { order: "time", expectedStepPower: 0.5 })!;
    const { lower, upper } = computeIntervals(fitted, flat, far);
    for (let future = 0; future < 20; future++) {
      const values = walk(280).slice(200);
      values.forEach((value, i) => {
        if (value >= lower[i]! && value <= upper[i]!) inside++;
        count++;
      });
    }
  }
  expect(inside / count).toBeGreaterThan(0.85);
  expect(inside / count).toBeLessThan(0.95);
});
