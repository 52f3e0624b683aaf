import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { gaussian } from "#testing/gaussian";
import type { CalibrationRows } from "./calibration-rows.ts";
import { calibrate, computeIntervals } from "./conformal.ts";
import { weightedQuantile } from "./widths.ts";

function noisy(count: number, seed: number, spread: (level: number, step: number) => number) {
  const random = seededRandom(seed);
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const steps = Int32Array.from({ length: count }, (_, row) => (row % 24) + 1);
  const predicted = Float64Array.from({ length: count }, () => 100 * random.next());
  const actual = predicted.map((value, row) => value + spread(value, steps[row]!) * gaussian());
  return { actual, predicted, steps };
}

const inTime = { order: "time" } as const;

/** Splits rows into forecasts of 24 steps each. */
function byOrigin(rows: {
  actual: Float64Array;
  predicted: Float64Array;
  steps: Int32Array;
}): CalibrationRows[] {
  return Array.from({ length: Math.ceil(rows.actual.length / 24) }, (_, i) => ({
    from: 24 * i,
    actual: rows.actual.subarray(24 * i, 24 * i + 24),
    predicted: rows.predicted.subarray(24 * i, 24 * i + 24),
    steps: rows.steps.subarray(24 * i, 24 * i + 24),
  }));
}

const share = (flags: boolean[]) => flags.filter(Boolean).length / flags.length;

describe("split conformal intervals", () => {
  test("cover new rows at the requested level, at every level of the prediction and step ahead", () => {
    const spread = (level: number, step: number) => 1 + level / 10 + step / 8;
    const calibration = calibrate(byOrigin(noisy(8000, 1, spread)), inTime)!;
    const fresh = noisy(8000, 2, spread);
    const { lower, upper } = computeIntervals(calibration, fresh.predicted, fresh.steps);
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

  test("take the quantile of each cell with the correction for the rows of that cell", () => {
    // Five cells of 56 rows each, whose errors are 1 to 56. The 52nd is the smallest that covers 0.9 · 57 / 56 of them.
    const predicted = Float64Array.from({ length: 280 }, (_, row) => row + 1);
    const actual = predicted.map((value, row) => value + 1 + (row % 56));
    const { ranges } = calibrate([{ actual, predicted, steps: null }], { order: "random" })!;
    expect(ranges.map(({ halfWidths }) => halfWidths)).toEqual([[52, 52, 52, 52, 52]]);
  });

  test("are wider where errors are larger", () => {
    const calibration = calibrate([{ ...noisy(4000, 3, (level) => (level > 50 ? 20 : 1)), steps: null }], {
      order: "random",
    })!;
    const { lower, upper } = computeIntervals(calibration, Float64Array.of(10, 90), Int32Array.of(1, 1));
    expect(upper[1]! - lower[1]!).toBeGreaterThan(5 * (upper[0]! - lower[0]!));
  });

  test("always contain the prediction, and are JSON-serialisable", () => {
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
          const calibration = calibrate([{ actual, predicted, steps }], inTime)!;
          expect(JSON.parse(JSON.stringify(calibration))).toEqual(calibration);
          const { lower, upper } = computeIntervals(
            calibration,
            predicted,
            steps.map((step) => step + horizon),
          );
          predicted.forEach((value, row) => {
            expect(lower[row]).toBeLessThanOrEqual(value);
            expect(upper[row]).toBeGreaterThanOrEqual(value);
          });
          for (const { halfWidths } of calibration.ranges) {
            for (const width of halfWidths) expect(width).toBeGreaterThanOrEqual(0);
          }
        },
      ),
      {
        // Errors so small that their mean rounds to 0, or that a quotient is infinite.
        examples: [
          [
            [
              [0, 5e-324],
              [0, 0],
            ],
            1,
          ],
          [[...Array<[number, number]>(7).fill([0, 0]), [0, -8.9e-16], [0, 5e-324]], 1],
        ],
      },
    );
  });

  test("report the coverage of later rows for rows in time order", () => {
    const rows = noisy(960, 8, () => 1);
    const actual = rows.actual.map((value, row) => (row < 480 ? value : value + 500));
    // 24 origins: the first 19 calibrate, the last 5 test. All but one of these are shifted.
    const shifted = calibrate(byOrigin({ ...rows, actual }).slice(0, 24), inTime)!;
    expect(shifted.coverageRows).toBe(120);
    const parts = shifted.coverageBySteps!;
    expect(parts.map(({ fromStep, toStep, rows }) => [fromStep, toStep, rows])).toEqual([
      [1, 8, 40],
      [9, 16, 40],
      [17, 24, 40],
    ]);
    expect(parts.reduce((sum, { coverage }) => sum + coverage / 3, 0)).toBeCloseTo(shifted.coverage!, 12);
    expect(shifted.coverage).toBeLessThan(0.25);
    const steady = calibrate([{ ...rows, actual, steps: null }], { order: "random" })!;
    expect(steady.coverage).toBeGreaterThan(0.85);
  });

  test("report coverage without calibrating on tested rows that forecasts from earlier origins reach", () => {
    // The origins from row 165 on are tested.
    const [rows, horizon, quiet] = [200, 28, 165];
    const random = seededRandom(5);
    const values = Float64Array.from(
      { length: rows },
      (_, row) => (row < quiet ? 1 : 1_000) * (random.next() < 0.5 ? -1 : 1),
    );
    const origins = Array.from({ length: 24 }, (_, i): CalibrationRows => {
      const from = 80 + 5 * i;
      const actual = values.subarray(from, from + horizon);
      return {
        from,
        actual,
        predicted: new Float64Array(actual.length),
        steps: Int32Array.from(actual, (_, step) => step + 1),
      };
    });
    const { coverage, coverageRows } = calibrate(origins, inTime)!;
    expect(coverageRows).toBeGreaterThan(100);
    // Only rows before the large errors calibrate the tested intervals.
    expect(coverage).toBeLessThan(0.1);
  });

  test("grow like the errors of a random walk, from few forecasts that overlap", () => {
    const [runs, horizon] = [300, 6];
    for (const rows of [12, 20, 28]) {
      let powers = 0;
      for (let run = 0; run < runs; run++) {
        const noise = gaussian(run);
        let level = 0;
        const values = Float64Array.from({ length: rows }, () => (level += noise()));
        const first = Math.ceil(0.4 * rows);
        const origins = Array.from({ length: rows - first }, (_, i): CalibrationRows => {
          const actual = values.subarray(first + i, first + i + horizon);
          return {
            from: first + i,
            actual,
            predicted: new Float64Array(actual.length).fill(values[first + i - 1]!),
            steps: Int32Array.from(actual, (_, step) => step + 1),
          };
        });
        powers += calibrate(origins, { order: "time", expectedStepPower: 0.5 })!.growth!.stepPower / runs;
      }
      expect(powers).toBeGreaterThan(0.49);
      expect(powers).toBeLessThan(0.52);
    }
  });

  test("far beyond the calibrated steps cover a random walk with an estimated drift, and independent errors", () => {
    const [rows, horizon, far] = [300, 28, 280];
    const cover = (walks: boolean) => {
      let [inside, count] = [0, 0];
      for (let run = 0; run < 60; run++) {
        const noise = gaussian(run);
        let level = 0;
        const values = Array.from({ length: rows + far }, () => {
          level += walks ? 0.2 + noise() : 0;
          return level + (walks ? 0 : noise());
        });
        const forecast = (origin: number, steps: number): CalibrationRows => {
          const drift = walks ? (values[origin - 1]! - values[0]!) / (origin - 1) : 0;
          const last = walks ? values[origin - 1]! : 0;
          return {
            from: origin,
            actual: Float64Array.from(values.slice(origin, origin + steps)),
            predicted: Float64Array.from({ length: steps }, (_, i) => last + drift * (i + 1)),
            steps: Int32Array.from({ length: steps }, (_, i) => i + 1),
          };
        };
        const origins = Array.from({ length: 24 }, (_, i) => forecast(100 + i * 7, horizon));
        const calibration = calibrate(origins, { order: "time", expectedStepPower: walks ? 0.5 : 0 })!;
        const { actual, predicted, steps } = forecast(rows, far);
        const { lower, upper } = computeIntervals(calibration, predicted, steps!);
        for (let i = 200; i < far; i++, count++)
          if (actual[i]! >= lower[i]! && actual[i]! <= upper[i]!) inside++;
      }
      return inside / count;
    };
    for (const coverage of [cover(true), cover(false)]) {
      expect(coverage).toBeGreaterThan(0.86);
      expect(coverage).toBeLessThan(0.98);
    }
  });

  test("far beyond the calibrated steps cover 90 to 95% of a trend that the forecasts leave out, however steep", () => {
    const [rows, horizon, far] = [300, 28, 280];
    const cover = (slope: number, slopeDifference: number) => {
      let [inside, count] = [0, 0];
      for (let run = 0; run < 40; run++) {
        const noise = gaussian(run);
        const values = Float64Array.from({ length: rows + far }, (_, at) => slope * at + noise());
        const forecast = (from: number, length: number): CalibrationRows => ({
          from,
          actual: values.subarray(from, from + length),
          predicted: new Float64Array(length).fill(slope * from),
          steps: Int32Array.from({ length }, (_, i) => i + 1),
        });
        const origins = Array.from({ length: 24 }, (_, i) => forecast(100 + i * 7, horizon));
        const calibration = calibrate(origins, { order: "time", slopeDifference })!;
        const { actual, predicted, steps } = forecast(rows, far);
        const { lower, upper } = computeIntervals(calibration, predicted, steps!);
        for (let i = 200; i < far; i++, count++)
          if (actual[i]! >= lower[i]! && actual[i]! <= upper[i]!) inside++;
      }
      return inside / count;
    };
    for (const slope of [0.02, -0.05]) {
      expect(cover(slope, 0)).toBeLessThan(0.7);
      expect(cover(slope, Math.abs(slope))).toBeGreaterThan(0.88);
      expect(cover(slope, Math.abs(slope))).toBeLessThan(0.97);
    }
    // A gap that the uncertainty of the slope explains widens nothing.
    expect(cover(0, 1e-4)).toBe(cover(0, 0));
  });

  test("weightedQuantile returns the value at a fraction of the weight, and the largest for the full weight", () => {
    const values = Array.from({ length: 19 }, (_, i) => ({ value: 19 - i, weight: 1 }));
    expect(weightedQuantile(values, (0.9 * 20) / 19)).toBe(18);
    expect(weightedQuantile(values.slice(0, 5), 1.1)).toBe(19);
    expect(weightedQuantile([], 0.9)).toBe(0);
    const newer = values.map(({ value }) => ({ value, weight: value <= 10 ? 1 : 0.01 }));
    expect(weightedQuantile(newer, 0.9)).toBe(10);
  });

  test("are null without actuals, and report no coverage for a few rows", () => {
    const none: CalibrationRows = {
      actual: Float64Array.of(Number.NaN),
      predicted: Float64Array.of(1),
      steps: null,
    };
    expect(calibrate([none], inTime)).toBeNull();
    const few = { actual: Float64Array.of(1, 2, 3), predicted: Float64Array.of(1, 1, 1), steps: null };
    expect(calibrate([few], inTime)!.coverage).toBeNull();
  });
});
