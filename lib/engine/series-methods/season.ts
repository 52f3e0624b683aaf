import { filledGaps } from "./gaps.ts";
import { valuesSchema, type Zod } from "./series-method.ts";

/** A repeating season: offsets or factors of the next steps, starting at the first observation. */
export type Season = { kind: "additive" | "multiplicative"; values: number[] };

export const seasonSchema = (zod: Zod) =>
  zod.strictObject({ kind: zod.enum(["additive", "multiplicative"]), values: valuesSchema(zod).min(1) });

/** Quantile of the normal distribution for a 90% test. */
export const TEST_QUANTILE = 1.645;

/** Returns whether the autocorrelation at the season exceeds that of noise (as in Fiorucci et al. 2016). */
export function hasSeason(values: Float64Array, season: number): boolean {
  if (season < 2 || values.length < 3 * season) return false;
  const correlation = autocorrelations(values, season);
  let sum = 0;
  for (let lag = 1; lag < season; lag++) sum += correlation[lag]! ** 2;
  return Math.abs(correlation[season]!) > TEST_QUANTILE * Math.sqrt((1 + 2 * sum) / values.length);
}

function autocorrelations(values: Float64Array, most: number): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const sums = new Float64Array(most + 1);
  for (let lag = 0; lag <= most; lag++) {
    for (let i = lag; i < values.length; i++) sums[lag]! += (values[i]! - mean) * (values[i - lag]! - mean);
  }
  const variance = sums[0]!;
  return variance > 0 ? sums.map((value) => value / variance) : sums;
}

/** Computes the season of the classical decomposition: mean deviations from a centred moving average. */
export function classicalSeason(withGaps: Float64Array, season: number): Season {
  const values = filledGaps(withGaps);
  const isPositive = values.every((value) => value > 0);
  const sums = new Float64Array(season);
  const counts = new Float64Array(season);
  for (const [i, middle] of centredMeans(values, season).entries()) {
    if (Number.isNaN(middle)) continue;
    sums[i % season]! += isPositive ? values[i]! / middle : values[i]! - middle;
    counts[i % season]!++;
  }
  const means = sums.map((sum, i) => sum / counts[i]!);
  const mean = means.reduce((sum, value) => sum + value, 0) / season;
  return {
    kind: isPositive ? "multiplicative" : "additive",
    values: [...means.map((value) => (isPositive ? value / mean : value - mean))],
  };
}

/** Returns means over one season around each value; NaN at the ends. */
export function centredMeans(values: Float64Array, season: number): Float64Array {
  const means = new Float64Array(values.length).fill(Number.NaN);
  const half = Math.floor(season / 2);
  for (let i = half; i + half < values.length; i++) {
    let sum = 0;
    for (let at = i - half; at <= i + half; at++) {
      const isEnd = at === i - half || at === i + half;
      sum += values[at]! * (season % 2 === 0 && isEnd ? 0.5 : 1);
    }
    means[i] = sum / (season % 2 === 0 ? season : 2 * half + 1);
  }
  return means;
}

/** Removes a season from values and restores it, step by step. */
export function seasonFilter({ kind, values }: Season) {
  const isProduct = kind === "multiplicative";
  let place = 0;
  const at = (step: number) => values[(place + step) % values.length]!;
  return {
    adjusted: (series: Float64Array) => series.map((value, i) => (isProduct ? value / at(i) : value - at(i))),
    remove: (value: number) => (isProduct ? value / at(0) : value - at(0)),
    restore: (value: number, step: number) => (isProduct ? value * at(step) : value + at(step)),
    advance: () => {
      place = (place + 1) % values.length;
    },
    snapshot: (): Season => ({ kind, values: values.map((_, i) => at(i)) }),
  };
}
