import type { KnownSeries } from "#lib/ml/forecast/known-series";
import { chooseNaive, naiveForecast, naiveName, rowIndexes } from "#lib/ml/forecast/naive-forecast";
import { meanBaseline } from "#lib/ml/train/seasonal-naive";
import type { PreparedData } from "./prepare-data.ts";
import { seasonLengths } from "./seasonality.ts";

/** What a model must beat: predictions of the validation rows that anyone could make without one. */
export type Baseline = { name: string; predictions: Float64Array };

/**
 * For a series the value of the last season before each forecast origin, with the season (or just the last value)
 * that does best on the last fifth of the training rows; otherwise the mean of the training rows.
 */
export function baseline(data: PreparedData, known: KnownSeries | null, horizon: number | null): Baseline {
  const { targets, trainingRows, grid } = data;
  const count = targets.length - trainingRows;
  if (!known || !grid || horizon === null) {
    return { name: "mean", predictions: meanBaseline(targets.subarray(0, trainingRows), count) };
  }
  const indexes = rowIndexes(known, targets.length);
  const training = {
    indexes: indexes.subarray(0, trainingRows),
    targets: targets.subarray(0, trainingRows),
  };
  const naive = chooseNaive(known, training, { seasons: seasonLengths(grid.frequency), horizon });
  return { name: naiveName(naive), predictions: naiveForecast(known, indexes.subarray(trainingRows), naive) };
}
