import { expect, test } from "vitest";
import { calibrationOf, storedCalibration } from "./calibration-file.ts";
import { calibrate } from "./conformal.ts";

test("stores a calibration with the names of its file, and reads it back", () => {
  const rows = Array.from({ length: 30 }, (_, from) => ({
    from,
    actual: Float64Array.from({ length: 4 }, (_, step) => 20 + ((7 * (from + step)) % 11)),
    predicted: Float64Array.of(20, 22, 24, 26),
    steps: Int32Array.of(1, 2, 3, 4),
  }));
  const widths = calibrate(rows, { order: "time", expectedStepPower: 0.5 })!;
  const { ranges, growth } = widths;
  const calibration = { ...widths, generated: { ranges, growth: growth! }, upstream: { ranges } };
  const stored = storedCalibration(calibration)!;
  expect(stored.buckets[0]).toMatchObject({ levels: ranges[0]!.limits, halfWidths: ranges[0]!.halfWidths });
  expect(stored.generated!.growth).toMatchObject({ step: growth!.stepPower, level: growth!.sizePower });
  expect(calibrationOf(JSON.parse(JSON.stringify(stored)))).toEqual(calibration);
  expect([storedCalibration(null), calibrationOf(null)]).toEqual([null, null]);
});
