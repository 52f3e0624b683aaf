import { endedAfter, type KnownSeries } from "#lib/engine/forecasting/known-series";
import { chooseNaive, naiveForecast, naiveName, rowIndexes } from "#lib/engine/forecasting/naive-forecast";
import type { NaiveForecast } from "#lib/engine/inference/file-schemas";
import { meanBaseline } from "#lib/engine/learners/seasonal-naive";
import type { PreparedData } from "./prepare-data.ts";
import { seasonLengths } from "./seasonality.ts";

/** Naive forecast of the validation rows. Reported beside the model; the choice uses back-tests. */
type Baseline = { name: string; naive: NaiveForecast; predictions: Float64Array };

/**
 * Predicts the validation rows without a model. For a series, repeats the last season (or the last value) before each
 * forecast origin, as a model does (`predictFold`). The season is the one with the lowest error on the last fifth of the
 * training rows. Without a series, predicts the mean of the training rows.
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
    predictions: naiveForecast(
      endedAfter(known, { before: indexes[trainingRows - 1]!, last: indexes.at(-1)!, horizon }),
      indexes.subarray(trainingRows),
      seasonal,
    ),
  };
}
