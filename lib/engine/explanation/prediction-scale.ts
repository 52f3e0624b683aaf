import { logOddsOf } from "#lib/engine/learners/log-odds";

/** Scale on which effects are stated: the prediction's own, or log(p / (1 - p)) of a probability p. */
export type PredictionScale = "prediction" | "log_odds";

/** Converts predictions to the scale. */
export function onScale(scale: PredictionScale, predictions: Float64Array): Float64Array {
  return scale === "log_odds" ? predictions.map(logOddsOf) : predictions;
}
