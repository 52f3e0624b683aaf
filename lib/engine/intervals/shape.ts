import {
  type ErrorDependence,
  INTERVAL_LEVEL,
  INTERVAL_LEVELS,
  type IntervalShape,
} from "#lib/contract/interval-shape";
import { type Residual, spanOf } from "./growth.ts";
import { halfWidth, type Widths, weightedQuantile } from "./widths.ts";

/** Minimum number of forecast origins for the growth of sums. */
const ORIGINS_MIN = 5;
/**
 * Prior of the error of a sum over the n steps of the longest forecast: n ^ (0.5 + e) times the error of one step. The
 * exponent e is positive, since consecutive errors are rarely independent. It is larger if errors grow with the step. For
 * a random walk, whose errors grow by the power 0.5, e is 0.4.
 */
const SUM_POWER = 0.2;
const SUM_POWER_OF_GROWTH = 0.4;
const SUM_POWER_MAX = 0.5;
const SUM_POWER_SPREAD = 0.15;

/**
 * Fits the factors that derive other intervals from those at 90%. Other levels use ratios between quantiles
 * of the residuals divided by their half widths. Sums use the dependence between the errors of the steps.
 */
export function fitShape(
  residuals: readonly Residual[],
  widths: Widths,
  { floor, isSeries }: { floor: number | null; isSeries: boolean },
): IntervalShape {
  const scaled = residuals.map((one) => ({ ...one, width: halfWidth(widths, one.predicted, one.step) }));
  return {
    floor,
    ratios: fitRatios(scaled),
    sumPower: null,
    ...(isSeries && { sumErrors: fitDependence(scaled, widths.growth?.stepPower ?? 0) }),
  };
}

export type Scaled = Residual & { width: number };

/** Quantiles of a normal distribution, in place of ratios that cannot be measured. */
const NORMAL: Record<number, number> = { 0.5: 0.674, 0.8: 1.282, 0.9: 1.645, 0.95: 1.96 };

/** Returns ratios that never fall with the level. */
function fitRatios(residuals: readonly Scaled[]): IntervalShape["ratios"] {
  const scaled = residuals.flatMap(({ error, width, weight }) =>
    width > 0 ? [{ value: Math.abs(error) / width, weight }] : [],
  );
  const unit = weightedQuantile(scaled, INTERVAL_LEVEL);
  return INTERVAL_LEVELS.map((level) => {
    if (level === INTERVAL_LEVEL) return { level, ratio: 1 };
    const measured = weightedQuantile(scaled, level) / unit;
    // Not finite if most errors are 0.
    const ratio = Number.isFinite(measured) ? measured : NORMAL[level]! / NORMAL[INTERVAL_LEVEL]!;
    // Keeps the ratios in the order of their levels.
    const ordered = level > INTERVAL_LEVEL ? Math.max(1, ratio) : Math.min(1, ratio);
    // With few residuals, no quantile exceeds the largest one: use at least the ratio of a normal distribution.
    const isMeasured = residuals.length * (1 - level) >= 1;
    return {
      level,
      ratio: isMeasured ? ordered : Math.max(ordered, NORMAL[level]! / NORMAL[INTERVAL_LEVEL]!),
    };
  });
}

/** Returns the variance of the sum of n errors as a multiple of that of independent errors: from 1 to n. */
export function sumInflation(count: number, { shared, fading }: ErrorDependence): number {
  return shared * count + (1 - shared) * fadingInflation(count, fading);
}

/** Returns the same for errors with the correlation `fading` ^ k at k rows apart (sum of a geometric series). */
function fadingInflation(count: number, fading: number): number {
  const rest = 1 - fading;
  // The formula below loses all digits if `fading` is near 1.
  if (rest * count < 1e-5) return count;
  return (1 + fading) / rest - (2 * fading * (1 - fading ** count)) / (count * rest ** 2);
}

/**
 * Estimates the dependence of consecutive errors that explains how errors of sums grow. For n errors with the half widths w,
 * E[(Σ e)²] = `sumInflation` · E[e² / w²] · Σ w². The logarithms of both sides are compared for the first 2, 4, 8, … and all
 * steps of each origin's forecast, and the expected growth is one more point of the fit. A power of n fits badly,
 * because one part of the dependence fades and the other stays.
 */
export function fitDependence(
  residuals: readonly Pick<Scaled, "error" | "width" | "origin" | "place">[],
  stepPower: number,
): ErrorDependence {
  const origins = [...Map.groupBy(residuals, ({ origin }) => origin).values()];
  const longest = origins.reduce((most, { length }) => Math.max(most, length), 0);
  const whole = Math.max(2, longest);
  const power = Math.min(SUM_POWER_MAX, SUM_POWER + SUM_POWER_OF_GROWTH * stepPower);
  const points = [
    // The logarithm of the mean of n squared errors has the variance 2 / n.
    {
      count: whole,
      inflation: whole ** (2 * power),
      weight: 2 / (2 * SUM_POWER_SPREAD * Math.log(whole)) ** 2,
    },
  ];
  const unit = residuals.reduce((sum, { error, width }) => sum + (width > 0 ? (error / width) ** 2 : 0), 0);
  const span = spanOf(residuals);
  for (let count = 2; origins.length >= ORIGINS_MIN && count <= longest; count = nextCount(count, longest)) {
    const found = origins
      .flatMap((rows) => (rows.length < count ? [] : [scaledSum(rows.slice(0, count))]))
      .filter(Number.isFinite);
    const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
    const inflation = (mean * residuals.length) / unit;
    if (!(inflation > 0 && inflation < Number.POSITIVE_INFINITY)) continue;
    // Forecasts from neighbouring origins overlap: count the spans that do not.
    const weight = Math.min(found.length, span / count);
    points.push({ count, inflation: inflation * logBias(weight), weight });
  }
  const misfit = (one: ErrorDependence) =>
    points.reduce(
      (sum, { count, inflation, weight }) =>
        sum + weight * Math.log(sumInflation(count, one) / inflation) ** 2,
      0,
    );
  let best: ErrorDependence & { misfit: number } = { shared: 0, fading: 0, misfit: Number.POSITIVE_INFINITY };
  for (const shared of SHARED)
    for (const fading of FADING) {
      const error = misfit({ shared, fading });
      if (error < best.misfit) best = { shared, fading, misfit: error };
    }
  return { shared: best.shared, fading: best.fading };
}

/**
 * Returns the factor that corrects the logarithm of a mean of n squared normal errors, which is too low on average (digamma
 * function of n / 2, second order).
 */
const logBias = (count: number) => Math.exp(1 / count + 1 / (3 * count ** 2));

/** Values that `fitDependence` tries. */
const SHARED = Array.from({ length: 51 }, (_, i) => i / 50);
const FADING = Array.from({ length: 50 }, (_, i) => i / 50);

function nextCount(count: number, longest: number): number {
  return count < longest ? Math.min(2 * count, longest) : longest + 1;
}

/** Returns (Σ e)² / Σ w². */
function scaledSum(rows: readonly Pick<Scaled, "error" | "width">[]): number {
  const [sum, squares] = rows.reduce(([a, b], { error, width }) => [a + error, b + width ** 2], [0, 0]);
  return sum ** 2 / squares;
}

/**
 * Returns the bounds at another level.
 *
 * @param upper upper bounds at 90%; NaN for rows without intervals
 * @param ratio half width at the level, as a multiple of that at 90%
 * @param floors least value of each row, where overrides moved it away from `floor`
 */
export function boundsAtLevel(
  predictions: Float64Array,
  upper: Float64Array,
  { floor, ratio, floors }: { floor: number | null; ratio: number; floors?: Float64Array | undefined },
): { lower: Float64Array; upper: Float64Array } {
  const least = floor ?? Number.NEGATIVE_INFINITY;
  const widths = upper.map((bound, row) => (bound - predictions[row]!) * ratio);
  return {
    lower: widths.map((width, row) => Math.max(predictions[row]! - width, floors?.[row] ?? least)),
    upper: widths.map((width, row) => predictions[row]! + width),
  };
}

/** Returns the squared half widths at 90%; NaN for rows without a prediction. */
export function squaredWidths(predictions: Float64Array, upper: Float64Array): Float64Array {
  return upper.map((bound, row) => (bound - predictions[row]!) ** 2);
}
