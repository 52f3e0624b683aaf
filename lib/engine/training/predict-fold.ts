import type { Table } from "#lib/contract/table";
import { gridIndexes } from "#lib/engine/features/build-features";
import { endedAfter, type KnownSeries } from "#lib/engine/forecasting/known-series";
import type { RowPredictions } from "#lib/engine/forecasting/predict-rows";
import { predictorOfLearner } from "#lib/engine/inference/predictor-of-learner";
import type { RowPredictor, TrainedPredictor } from "#lib/engine/inference/row-predictor";
import { sliceRows } from "#lib/engine/table/rows";
import type { CandidateContext, Fitted } from "./candidate.ts";
import type { Range } from "./folds.ts";

/**
 * Predicts rows after the training rows as the model will be used: from a forecast origin right before the first row,
 * and from a new origin every `horizon` steps.
 *
 * @param rows the rows of the range, by default those of the training data
 */
export async function predictFold(
  context: CandidateContext,
  fitted: Fitted,
  { from, to }: Range,
  {
    predictor = predictorOf(context, fitted),
    rows = sliceRows(context.data.table, from, to),
  }: { predictor?: RowPredictor; rows?: Table } = {},
): Promise<Pick<RowPredictions, "predictions" | "steps">> {
  const { known } = context;
  const { pipeline } = fitted;
  const series = known && pipeline.grid && from > 0 ? knownFrom(context, fitted, from, to) : known;
  return predictor.predict(rows, series);
}

/** Creates the predictor of a fitted candidate. */
export function predictorOf(
  { horizon, classes }: Pick<CandidateContext, "horizon" | "classes">,
  { pipeline, learner, floor }: Fitted,
): TrainedPredictor {
  return predictorOfLearner({ pipeline, horizon, floor, isOfClasses: classes !== null }, learner);
}

/** Returns the series with a forecast origin right before `from`. */
function knownFrom(context: CandidateContext, { pipeline }: Fitted, from: number, to: number): KnownSeries {
  const { data, known, horizon } = context;
  const indexes = gridIndexes(pipeline, sliceRows(data.table, from - 1, to));
  return endedAfter(known!, { before: indexes[0]!, last: indexes.at(-1)!, horizon: horizon ?? 1 });
}
