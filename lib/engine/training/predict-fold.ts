import { gridIndexes } from "#lib/engine/features/build-features";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import { predictRows, type RowPredictions } from "#lib/engine/forecasting/predict-rows";
import { atLeast, evaluatorOfLearner } from "#lib/engine/inference/evaluate";
import { sliceRows } from "#lib/engine/table/rows";
import type { CandidateContext } from "#lib/ml/model/learner";
import type { Fitted } from "./fit-candidate.ts";
import type { Range } from "./folds.ts";

/**
 * Predicts rows that come after those that were learned from, in the way that the model will be used: from a forecast
 * origin right before the first one, and from a new one every `horizon` steps.
 */
export async function predictFold(
  context: CandidateContext,
  fitted: Fitted,
  { from, to }: Range,
): Promise<Pick<RowPredictions, "predictions" | "steps">> {
  const { data, known, horizon } = context;
  const { pipeline } = fitted;
  const rows = sliceRows(data.table, from, to);
  const series = known && pipeline.grid && from > 0 ? knownFrom(context, fitted, from, to) : known;
  return predictRows({ pipeline, horizon: horizon ?? 1, run: runFitted(fitted) }, rows, series);
}

/** What evaluates a fitted candidate on model inputs. */
export function runFitted({ learner, floor }: Pick<Fitted, "learner" | "floor">) {
  const evaluate = evaluatorOfLearner(learner);
  return async (columns: Float32Array[], rowCount: number) => atLeast(floor, evaluate(columns, rowCount));
}

/** The series, ending a whole number of horizons after the last row before `from`: origins are counted back from it. */
function knownFrom(context: CandidateContext, { pipeline }: Fitted, from: number, to: number): KnownSeries {
  const { data, known, horizon } = context;
  const [before, last] = gridIndexes(pipeline, sliceRows(data.table, from - 1, to)).filter(
    (_, at, all) => at === 0 || at === all.length - 1,
  );
  const steps = horizon ?? 1;
  const blocks = Math.ceil((last! - before!) / steps);
  return { ...known!, end: before! + 1 + blocks * steps };
}
