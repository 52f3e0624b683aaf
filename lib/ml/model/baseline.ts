import { forecastOrigin } from "#lib/ml/features/target-history";
import type { KnownSeries } from "#lib/ml/forecast/known-series";
import { regressionMetrics } from "#lib/ml/train/metrics";
import { meanBaseline, seasonalNaive } from "#lib/ml/train/seasonal-naive";
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
  const tryOut = (season: number, from: number, to: number) =>
    naivePredictions(known, indexes.subarray(from, to), season, horizon);
  const inner = Math.floor(trainingRows * 0.8);
  const errors = [1, ...seasonLengths(grid.frequency)].map((season) => {
    const actual = targets.subarray(inner, trainingRows);
    return { season, error: regressionMetrics(actual, tryOut(season, inner, trainingRows)).rmse ?? Infinity };
  });
  const best = errors.reduce((a, b) => (b.error < a.error ? b : a));
  const name = best.season === 1 ? "last value" : `seasonal naive, ${best.season} steps`;
  return { name, predictions: tryOut(best.season, trainingRows, targets.length) };
}

function naivePredictions(
  known: KnownSeries,
  indexes: Int32Array,
  season: number,
  horizon: number,
): Float64Array {
  const byOrigin = new Map<number, Float64Array>();
  return Float64Array.from(indexes, (index) => {
    const origin = forecastOrigin(index, known.end, horizon);
    let forecast = byOrigin.get(origin);
    if (!forecast) {
      forecast = seasonalNaive(
        known.observed.subarray(0, Math.max(0, origin - known.firstIndex)),
        season,
        horizon,
      );
      byOrigin.set(origin, forecast);
    }
    return forecast[index - origin]!;
  });
}

function rowIndexes(known: KnownSeries, rows: number): Int32Array {
  const indexes = new Int32Array(rows);
  known.rowAt.forEach((row, at) => {
    if (row >= 0) indexes[row] = known.firstIndex + at;
  });
  return indexes;
}
