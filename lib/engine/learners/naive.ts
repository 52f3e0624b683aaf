import type { LinearModel } from "./linear-design.ts";

/** Column of a target lag as scaled for the model: (value − center) × scale. */
export type ScaledLag = { steps: number; center: number; scale: number };

/** Fraction of the mean growth that continues: half, as in the Theta method (Assimakopoulos and Nikolopoulos 2000). */
const GROWTH = 0.5;
/** Fraction of the latest deviation from last season that the next step keeps. */
const PERSISTENCE = 0.6;

/**
 * Continues a series from its last season: y(t) = y(t − m) + d + p · (y(t − 1) − y(t − 1 − m) − d). Here m is the
 * season and d is half of the mean growth over a season. Without a season, the result is the last value plus half of
 * the drift (Hyndman and Athanasopoulos, section 5.2). Only d is estimated, which suits series that are too short for
 * more parameters.
 *
 * @param lags lags of the columns: one lag of 1, or 1, m and m + 1
 */
export function trainDrift(
  columns: Float32Array[],
  target: Float64Array,
  lags: readonly ScaledLag[],
): LinearModel {
  const season = lags.length === 1 ? lags[0]! : lags[1]!;
  const values = columns[lags.indexOf(season)]!;
  let growth = 0;
  let count = 0;
  for (let row = 0; row < target.length; row++) {
    const before = values[row]! / season.scale + season.center;
    if (Number.isNaN(before)) continue;
    growth += target[row]! - before;
    count++;
  }
  const step = count > 0 ? (GROWTH * growth) / count : 0;
  const weights = lags.length === 1 ? [1] : [PERSISTENCE, 1, -PERSISTENCE];
  return fixedWeights(columns, lags, weights, lags.length === 1 ? step : step * (1 - PERSISTENCE));
}

/** Returns a model that repeats one lag: the naive forecast. */
export function repeatLag(columns: Float32Array[], lag: ScaledLag): LinearModel {
  return fixedWeights(columns, [lag], [1], 0);
}

/** Returns a linear model of the lags in the target's own unit. */
function fixedWeights(
  columns: Float32Array[],
  lags: readonly ScaledLag[],
  weights: readonly number[],
  constant: number,
): LinearModel {
  return modelOf(
    columns,
    Float64Array.from(weights, (weight, i) => weight / lags[i]!.scale),
    weights.reduce((sum, weight, i) => sum + weight * lags[i]!.center, constant),
  );
}

/** Returns a model that predicts the target's mean for every row. */
export function trainMean(columns: Float32Array[], target: Float64Array): LinearModel {
  const mean = target.reduce((sum, value) => sum + value, 0) / target.length;
  return modelOf(columns, new Float64Array(columns.length), mean);
}

function modelOf(columns: Float32Array[], coefficients: Float64Array, intercept: number): LinearModel {
  const spreads = columns.map(spreadOf);
  return {
    kind: "linear",
    coefficients,
    intercept,
    means: Float64Array.from(spreads, ({ mean }) => mean),
    deviations: Float64Array.from(spreads, ({ deviation }) => deviation),
  };
}

function spreadOf(column: Float32Array): { mean: number; deviation: number } {
  const known = Float64Array.from(column).filter((value) => !Number.isNaN(value));
  const count = Math.max(1, known.length);
  const mean = known.reduce((sum, value) => sum + value, 0) / count;
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
  return { mean, deviation: Math.sqrt(variance) };
}
