import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import type { CandidateSpec } from "./candidate.ts";
import { INPUTS_ONLY, PAST_AND_INPUTS, PAST_ONLY } from "./feature-sets.ts";
import type { PreparedData } from "./prepare-data.ts";

/** Minimum number of points for a choice by back-tests. Below, the result depends on single origins. */
export const SELECTION_POINTS_MIN = 30;

/**
 * Returns the fixed procedure for a series without inputs, or a short one: the combination of series methods. With
 * inputs, the methods forecast the target minus a regression, so that scenarios respond to the inputs. Rows without a
 * known series get only the regression.
 */
export function fixedProcedure({ inputs }: PreparedData, known: KnownSeries | null): CandidateSpec {
  if (!known) return { family: "ridge", set: INPUTS_ONLY, hyperparameters: {} };
  const set = inputs.length > 0 ? PAST_AND_INPUTS : PAST_ONLY;
  return { family: "combination", set, hyperparameters: {} };
}
