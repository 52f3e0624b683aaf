import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import { driftSet, INPUTS_ONLY } from "#lib/engine/training/feature-sets";
import type { PreparedData } from "#lib/engine/training/prepare-data";
import type { CandidateSpec } from "./learner.ts";

/** Series of fewer points are too short to choose by back-tests: one origin more or less decides. */
export const SELECTION_POINTS_MIN = 30;

/** Penalty of ridge on so few rows: as much as a row of evidence for each of them. */
const RIDGE_ALPHA = 10;
/** 90% of white noise lie within so many standard errors of 0. */
const STANDARD_ERRORS = 1.645;

/**
 * The fixed procedure for a short series. With inputs: ridge on them, so that scenarios respond to them. Without: the
 * drift method, from the last season where the values repeat with it.
 */
export function shortProcedure(
  { inputs, targets, trainingRows }: PreparedData,
  known: KnownSeries | null,
  seasons: readonly number[],
): CandidateSpec {
  if (!known || inputs.length > 0)
    return { family: "ridge", set: INPUTS_ONLY, hyperparameters: { alpha: RIDGE_ALPHA } };
  const season = seasons.findLast(
    (steps) => steps > 1 && isSeasonal(targets.subarray(0, trainingRows), steps),
  );
  return { family: "drift", set: driftSet(season ?? 1), hyperparameters: {} };
}

/** Whether changes of the values repeat after a season: their autocorrelation there is more than that of noise. */
function isSeasonal(values: Float64Array, season: number): boolean {
  const changes = values.subarray(1).map((value, i) => value - values[i]!);
  const middle = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  const spread = changes.reduce((sum, change) => sum + (change - middle) ** 2, 0);
  if (spread === 0 || changes.length <= season) return false;
  let together = 0;
  for (let i = season; i < changes.length; i++)
    together += (changes[i]! - middle) * (changes[i - season]! - middle);
  return together / spread > STANDARD_ERRORS / Math.sqrt(changes.length);
}
