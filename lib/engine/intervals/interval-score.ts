import { INTERVAL_LEVEL } from "#lib/contract/interval-shape";
import type { CalibrationRows } from "./calibration-rows.ts";
import { halfWidth, type Widths } from "./widths.ts";

type Calibrated = { widths: Widths; origins: readonly CalibrationRows[] };

/** Relative margin: scales cost a model of their own, and must not be chosen by chance. */
const MARGIN = 0.02;

/**
 * Returns whether intervals have a clearly lower mean score (Winkler 1972) than others of the same rows: the width, plus the
 * distance of a value outside, multiplied by 2 / (1 − level).
 */
export const isClearlySharper = (candidate: Calibrated, usual: Calibrated) =>
  meanScore(candidate) < (1 - MARGIN) * meanScore(usual);

/** Returns the mean score of the rows with an actual value. */
function meanScore({ widths, origins }: Calibrated): number {
  const scores = origins.flatMap(({ actual, predicted, steps, scales }) =>
    Array.from(actual, (value, row) => {
      const width = halfWidth(widths, predicted[row]!, steps?.[row] ?? 1) * (scales?.[row] ?? 1);
      const outside = Math.max(0, Math.abs(value - predicted[row]!) - width);
      return 2 * width + (2 / (1 - INTERVAL_LEVEL)) * outside;
    }).filter((score) => !Number.isNaN(score)),
  );
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
