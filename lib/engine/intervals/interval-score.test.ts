import { expect, test } from "vitest";
import { gaussian } from "#testing/gaussian";
import type { CalibrationRows } from "./calibration-rows.ts";
import { calibrate } from "./conformal.ts";
import { isClearlySharper } from "./interval-score.ts";

const ORIGINS = 24;
const STEPS = 12;

/** Errors of rows whose noise is `sizeOf` the row, as forecasts from several origins. */
function forecasts(sizeOf: (row: number) => number, scaleOf?: (row: number) => number): CalibrationRows[] {
  const noise = gaussian(2);
  return Array.from({ length: ORIGINS }, (_, origin) => {
    const rows = Array.from({ length: STEPS }, (_, step) => origin * STEPS + step);
    return {
      from: origin * STEPS,
      actual: Float64Array.from(rows, (row) => 100 + sizeOf(row) * noise()),
      predicted: new Float64Array(STEPS).fill(100),
      steps: Int32Array.from(rows, (_, step) => step + 1),
      ...(scaleOf && { scales: Float64Array.from(rows, scaleOf) }),
    };
  });
}

const calibrated = (origins: CalibrationRows[]) => ({
  widths: calibrate(origins, { order: "time" })!,
  origins,
});
const alternating = (row: number) => (row % 2 === 0 ? 1 : 8);

test("widths that follow the sizes of errors are clearly sharper", () => {
  const usual = calibrated(forecasts(alternating));
  expect(isClearlySharper(calibrated(forecasts(alternating, alternating)), usual)).toBe(true);
});

test("widths that follow something else are not", () => {
  const usual = calibrated(forecasts(() => 3));
  const wrong = calibrated(forecasts(() => 3, alternating));
  expect(isClearlySharper(wrong, usual)).toBe(false);
  expect(isClearlySharper(usual, usual)).toBe(false);
});
