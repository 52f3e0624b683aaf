import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "#lib/ml/train/seeded-random";
import { calibrate, conformalQuantile, intervals } from "./conformal.ts";

function noisy(count: number, seed: number, spread: (level: number, step: number) => number) {
  const random = seededRandom(seed);
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const steps = Int32Array.from({ length: count }, (_, row) => (row % 24) + 1);
  const predicted = Float64Array.from({ length: count }, () => 100 * random.next());
  const actual = predicted.map((value, row) => value + spread(value, steps[row]!) * gaussian());
  return { actual, predicted, steps };
}

const inTime = { order: "time" } as const;
const share = (flags: boolean[]) => flags.filter(Boolean).length / flags.length;

describe("split conformal intervals", () => {
  test("cover new rows at the level asked for, at every level of the prediction and step ahead", () => {
    const spread = (level: number, step: number) => 1 + level / 10 + step / 8;
    const calibration = calibrate(noisy(8000, 1, spread), 0.9, inTime)!;
    const fresh = noisy(8000, 2, spread);
    const { lower, upper } = intervals(calibration, fresh.predicted, fresh.steps);
    const inside = [...fresh.actual].map((value, row) => value >= lower[row]! && value <= upper[row]!);
    expect(share(inside)).toBeGreaterThan(0.88);
    expect(share(inside)).toBeLessThan(0.92);
    const low = inside.filter((_, row) => fresh.predicted[row]! < 20);
    const high = inside.filter((_, row) => fresh.predicted[row]! > 80);
    const late = inside.filter((_, row) => fresh.steps[row]! > 18);
    for (const part of [low, high, late]) {
      expect(share(part)).toBeGreaterThan(0.84);
      expect(share(part)).toBeLessThan(0.96);
    }
    expect(calibration.coverage).toBeGreaterThan(0.88);
    expect(calibration.coverage).toBeLessThan(0.92);
  });

  test("are wider where predictions err more", () => {
    const calibration = calibrate(
      noisy(4000, 3, (level) => (level > 50 ? 20 : 1)),
      0.9,
      { order: "random" },
    )!;
    const { lower, upper } = intervals(calibration, Float64Array.of(10, 90), Int32Array.of(1, 1));
    expect(upper[1]! - lower[1]!).toBeGreaterThan(5 * (upper[0]! - lower[0]!));
  });

  test("always hold the prediction, and survive JSON", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.double({ min: -1e6, max: 1e6, noNaN: true }),
            fc.double({ min: -1e3, max: 1e3, noNaN: true }),
          ),
          {
            minLength: 1,
            maxLength: 300,
          },
        ),
        fc.integer({ min: 1, max: 50 }),
        (pairs, horizon) => {
          const predicted = Float64Array.from(pairs, ([value]) => value);
          const actual = Float64Array.from(pairs, ([value, error]) => value + error);
          const steps = Int32Array.from(pairs, (_, row) => (row % horizon) + 1);
          const calibration = calibrate({ actual, predicted, steps }, 0.9, inTime)!;
          expect(JSON.parse(JSON.stringify(calibration))).toEqual(calibration);
          const { lower, upper } = intervals(
            calibration,
            predicted,
            steps.map((step) => step + horizon),
          );
          predicted.forEach((value, row) => {
            expect(lower[row]).toBeLessThanOrEqual(value);
            expect(upper[row]).toBeGreaterThanOrEqual(value);
          });
          for (const { halfWidths } of calibration.buckets) {
            for (const width of halfWidths) expect(width).toBeGreaterThanOrEqual(0);
          }
        },
      ),
    );
  });

  test("learn from back-tests what a calm spell of held-out rows does not show", () => {
    const calm = noisy(400, 5, () => 1);
    const rough = noisy(1200, 6, (_, step) => (step > 12 ? 8 : 4));
    const plain = calibrate(calm, 0.9, inTime)!;
    const wiser = calibrate(calm, 0.9, { ...inTime, backTests: [rough] })!;
    expect(wiser.calibrationRows).toBe(1600);
    expect(wiser.coverageRows).toBe(200);
    expect(wiser.coverage).toBeGreaterThan(plain.coverage!);
    const fresh = noisy(1000, 7, (_, step) => (step > 12 ? 8 : 4));
    const covered = (calibration: typeof plain) => {
      const { lower, upper } = intervals(calibration, fresh.predicted, fresh.steps);
      return share([...fresh.actual].map((value, row) => value >= lower[row]! && value <= upper[row]!));
    };
    expect(covered(plain)).toBeLessThan(0.6);
    expect(covered(wiser)).toBeGreaterThan(0.8);
  });

  test("tell of rows in the order of time how many later ones they would have held", () => {
    const rows = noisy(1000, 8, () => 1);
    const actual = rows.actual.map((value, row) => (row < 500 ? value : value + 50));
    expect(calibrate({ ...rows, actual }, 0.9, inTime)!.coverage).toBe(0);
    expect(calibrate({ ...rows, actual }, 0.9, { order: "random" })!.coverage).toBeGreaterThan(0.85);
  });

  test("take the quantile with the correction for a finite sample", () => {
    const residuals = Float64Array.from({ length: 19 }, (_, i) => (i % 2 === 0 ? 1 : -1) * (i + 1));
    expect(conformalQuantile(residuals, 0.9)).toBe(18);
    expect(conformalQuantile(residuals.subarray(0, 5), 0.9)).toBe(5);
    expect(conformalQuantile(new Float64Array(), 0.9)).toBe(0);
    const newer = residuals.map((value) => (Math.abs(value) <= 10 ? 1 : 0.01));
    expect(conformalQuantile(residuals, 0.9, newer)).toBe(10);
  });

  test("are not there without a labelled row, and claim no coverage from a handful", () => {
    const none = { actual: Float64Array.of(Number.NaN), predicted: Float64Array.of(1), steps: null };
    expect(calibrate(none, 0.9, inTime)).toBeNull();
    const few = { actual: Float64Array.of(1, 2, 3), predicted: Float64Array.of(1, 1, 1), steps: null };
    expect(calibrate(few, 0.9, inTime)!.coverage).toBeNull();
  });
});
