import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import {
  chooseNaive,
  type Naive,
  naiveForecast,
  naiveName,
  rowIndexes,
} from "#lib/engine/forecasting/naive-forecast";
import { meanBaseline } from "#lib/engine/learners/seasonal-naive";
import type { PreparedData } from "./prepare-data.ts";
import { seasonLengths } from "./seasonality.ts";

/** A forecast that needs no model: a season repeated, or the mean of the rows that were trained on. */
export type NaiveForecast = { seasonal: Naive } | { mean: number };

/** What a model must beat: predictions of the validation rows that anyone could make without one. */
export type Baseline = { name: string; naive: NaiveForecast; predictions: Float64Array };

/**
 * For a series the value of the last season before each forecast origin, with the season (or just the last value)
 * that does best on the last fifth of the training rows; otherwise the mean of the training rows.
 */
export function baseline(data: PreparedData, known: KnownSeries | null, horizon: number | null): Baseline {
  const { targets, trainingRows, grid } = data;
  const count = targets.length - trainingRows;
  if (!known || !grid || horizon === null) {
    const predictions = meanBaseline(targets.subarray(0, trainingRows), count);
    return { name: "mean", naive: { mean: predictions[0]! }, predictions };
  }
  const indexes = rowIndexes(known, targets.length);
  const training = {
    indexes: indexes.subarray(0, trainingRows),
    targets: targets.subarray(0, trainingRows),
  };
  const seasonal = chooseNaive(known, training, { seasons: seasonLengths(grid.frequency), horizon });
  return {
    name: naiveName(seasonal),
    naive: { seasonal },
    predictions: naiveForecast(known, indexes.subarray(trainingRows), seasonal),
  };
}
