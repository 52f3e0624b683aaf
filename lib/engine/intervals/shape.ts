import { INTERVAL_LEVELS, type IntervalShape } from "#lib/contract/interval-shape";
import { halfWidth, type Residual, spanOf, type Widths, weightedQuantile } from "./widths.ts";

/** Minimum number of forecast origins for the growth of sums. */
const ORIGINS_MIN = 5;
/** Prior mean of the sum's power, and its weight in origins: consecutive errors are rarely independent. */
const SUM_POWER = 0.3;
const SUM_POWER_ORIGINS = 5;

type ShapeOptions = { level: number; floor: number | null; isSeries: boolean };

/**
 * Fits what relates other intervals to those at `level`: quantiles of the residuals in units of their half widths, and
 * the growth of errors of sums.
 */
export function fitShape(
  residuals: readonly Residual[],
  widths: Widths,
  { level, floor, isSeries }: ShapeOptions,
): IntervalShape {
  const scaled = residuals.map((one) => ({ ...one, width: halfWidth(widths, one.predicted, one.step) }));
  return {
    floor,
    ratios: fitRatios(scaled, level),
    sumPower: isSeries ? fitSumPower(scaled) : null,
  };
}

type Scaled = Residual & { width: number };

/** Quantiles of a normal distribution: half widths at the levels without other knowledge. */
const NORMAL: Record<number, number> = { 0.5: 0.674, 0.8: 1.282, 0.9: 1.645, 0.95: 1.96 };

/** Returns ratios that never fall with the level. */
function fitRatios(residuals: readonly Scaled[], level: number): IntervalShape["ratios"] {
  const sizes = residuals.flatMap(({ error, width, weight }) =>
    width > 0 ? [{ size: Math.abs(error) / width, weight }] : [],
  );
  const unit = weightedQuantile(sizes, level);
  return INTERVAL_LEVELS.map((one) => {
    if (one === level) return { level: one, ratio: 1 };
    const ratio = unit > 0 ? weightedQuantile(sizes, one) / unit : NORMAL[one]! / NORMAL[level]!;
    // Few residuals have no quantile beyond their largest one.
    const least = one > level ? Math.max(1, ratio) : Math.min(1, ratio);
    const isMeasured = residuals.length * (1 - one) >= 1;
    return { level: one, ratio: isMeasured ? least : Math.max(least, NORMAL[one]! / NORMAL[level]!) };
  });
}

/**
 * Estimates the power by which the error of a sum grows beyond that of independent errors. For n errors with the half
 * widths w, E[(Σ e)²] = n ^ (2 · power) · E[e² / w²] · Σ w². The slope over the logarithm of n comes from the first 2,
 * 4, 8, … steps of each origin's forecast, shrunk towards a prior.
 */
function fitSumPower(residuals: readonly Scaled[]): number {
  const origins = [...Map.groupBy(residuals, ({ origin }) => origin).values()];
  const longest = origins.reduce((most, { length }) => Math.max(most, length), 0);
  if (origins.length < ORIGINS_MIN || longest < 2) return SUM_POWER;
  const span = spanOf(residuals);
  let unit = 0;
  for (const { error, width } of residuals) if (width > 0) unit += (error / width) ** 2 / residuals.length;
  let product = 0;
  let square = 0;
  for (let steps = 2; steps <= longest; steps *= 2) {
    const sums = origins.flatMap((rows) => (rows.length < steps ? [] : [scaledSum(rows.slice(0, steps))]));
    const found = sums.filter(Number.isFinite);
    const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
    if (!(mean > 0) || !(unit > 0)) continue;
    const x = Math.log(steps);
    // Forecasts from neighbouring origins overlap: count the spans that do not.
    const weight = Math.min(found.length, span / steps);
    product += (weight * x * Math.log(mean / unit)) / 2;
    square += weight * x * x;
  }
  const prior = SUM_POWER_ORIGINS * Math.log(longest) ** 2;
  return Math.min(0.5, Math.max(0, (product + prior * SUM_POWER) / (square + prior)));
}

/** Returns (Σ e)² / Σ w². */
function scaledSum(rows: readonly Scaled[]): number {
  const [sum, squares] = rows.reduce(([a, b], { error, width }) => [a + error, b + width ** 2], [0, 0]);
  return sum ** 2 / squares;
}

/**
 * Returns the bounds at another level.
 *
 * @param upper upper bounds at 90%; NaN for rows without intervals
 * @param ratio half width at the level, as a multiple of that at 90%
 */
export function boundsAtLevel(
  predictions: Float64Array,
  upper: Float64Array,
  { floor, ratio }: { floor: number | null; ratio: number },
): { lower: Float64Array; upper: Float64Array } {
  const least = floor ?? Number.NEGATIVE_INFINITY;
  const widths = upper.map((bound, row) => (bound - predictions[row]!) * ratio);
  return {
    lower: widths.map((width, row) => Math.max(predictions[row]! - width, least)),
    upper: widths.map((width, row) => predictions[row]! + width),
  };
}

/** Returns the squared half widths at 90%; NaN for rows without a prediction. */
export function squaredWidths(predictions: Float64Array, upper: Float64Array): Float64Array {
  return upper.map((bound, row) => (bound - predictions[row]!) ** 2);
}
