import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import type { CandidateSpec } from "./candidate.ts";
import { INPUTS_ONLY, PAST_AND_INPUTS, PAST_ONLY } from "./feature-sets.ts";
import type { PreparedData } from "./prepare-data.ts";

/** Minimum number of points for a choice by back-tests. Below, the result depends on single origins. */
export const SELECTION_POINTS_MIN = 30;

/** Ridge penalty for few rows: it weighs as much as 10 rows of evidence. */
const RIDGE_ALPHA = 10;

/**
 * Returns the fixed procedure for a series without inputs, or a short one: the combination of series methods. With
 * inputs, the methods forecast the target minus a regression, so that scenarios respond to the inputs. Rows without a
 * known series get only the regression.
 */
export function fixedProcedure({ inputs }: PreparedData, known: KnownSeries | null): CandidateSpec {
  const hyperparameters = { alpha: RIDGE_ALPHA };
  if (!known) return { family: "ridge", set: INPUTS_ONLY, hyperparameters };
  if (inputs.length > 0) return { family: "combination", set: PAST_AND_INPUTS, hyperparameters };
  return { family: "combination", set: PAST_ONLY, hyperparameters: {} };
}
