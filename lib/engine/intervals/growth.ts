/**
 * Growth of half widths with the steps ahead h and the prediction p. The half width of a row is
 *
 *     half width of its range · h ^ stepPower · (p / meanSize) ^ sizePower
 *
 * - `stepPower`, `sizePower`: powers from 0 to 1.
 * - `meanSize`: weighted geometric mean of the predictions whose error is not 0; 1 unless all predictions are positive. The ratio p / meanSize is limited to 1/4 … 4.
 * - `rows`: number of rows that the model learned from. Beyond the last range of steps, the width also grows because
 *   these rows determine the slope of the series only roughly (`slopeVarianceFactor`).
 * - `slopeGap`: half width added by each step beyond the last range of steps. This is the difference between the
 *   slopes of the past and of the forecasts, minus the standard error of a slope, at least 0.
 *
 * Older calibrations lack `rows` and `slopeGap`.
 */
export type Growth = {
  stepPower: number;
  sizePower: number;
  meanSize: number;
  rows?: number;
  slopeGap?: number;
};

/** Error of the prediction for one row that the model was not trained on. */
export type Residual = {
  /** Actual value minus prediction. */
  error: number;
  predicted: number;
  /** Steps ahead, from 1. */
  step: number;
  /** Weight in quantiles and means. Later rows of a series have more weight. */
  weight: number;
  /** Index of the forecast origin. */
  origin: number;
  /** Index of the row in time order. */
  place: number;
};

/** Variance of log |e| for a normal error e with the mean 0. */
const LOG_VARIANCE = Math.PI ** 2 / 8;
/** Variance of the logarithm of the mean of n absolute normal errors, times n (delta method). */
const LOG_MEAN_VARIANCE = Math.PI / 2 - 1;
/** Standard deviations of the priors of both powers. */
const STEP_POWER_SPREAD = 0.25;
const SIZE_POWER_SPREAD = 1;
/** Prior mean of `sizePower`: between errors of constant size (0) and errors in proportion to the prediction (1). */
const SIZE_POWER = 0.5;
/** Limit of the ratio p / meanSize and of its inverse. */
const SIZE_FACTOR_MAX = 4;

export const NO_GROWTH: Growth = { stepPower: 0, sizePower: 0, meanSize: 1 };

/** A point of a regression. */
type Point = { x: number; y: number; weight: number };

/**
 * Estimates the powers of the steps ahead and of the prediction by which absolute errors grow. Each power is the slope of
 * a regression between logarithms. The power of the prediction is 0 unless all predictions are positive.
 *
 * @param expectedPower prior mean of the power of the steps ahead
 * @param drawsPerResidual weight of a residual in draws, because the residuals of one origin count as one draw
 */
export function fitGrowth(
  residuals: readonly Residual[],
  expectedPower: number,
  drawsPerResidual: number,
): Growth {
  const stepPower = slope(stepPoints(residuals), expectedPower, LOG_MEAN_VARIANCE / STEP_POWER_SPREAD ** 2);
  if (residuals.some(({ predicted }) => predicted <= 0)) return { ...NO_GROWTH, stepPower };
  const points = residuals.flatMap((one): Point[] =>
    one.error === 0
      ? []
      : [
          {
            x: Math.log(one.predicted),
            y: Math.log(Math.abs(one.error)) - stepPower * Math.log(one.step),
            weight: one.weight * drawsPerResidual,
          },
        ],
  );
  const sizePower = slope(points, SIZE_POWER, LOG_VARIANCE / SIZE_POWER_SPREAD ** 2);
  return { stepPower, sizePower, meanSize: Math.exp(weightedMean(points, ({ x }) => x)) };
}

/**
 * Returns a point for each step: the logarithms of the step and of the mean absolute error. Its weight is how many
 * forecasts of this length fit into the data side by side, at most the number of errors. The logarithm of a mean of n errors is too
 * low by half of its variance. This bias is removed, because it is larger for far steps, which have fewer errors.
 */
function stepPoints(residuals: readonly Residual[]): Point[] {
  const sums = new Map<number, { sum: number; count: number }>();
  for (const { error, step } of residuals) {
    const one = sums.get(step) ?? { sum: 0, count: 0 };
    one.sum += Math.abs(error);
    one.count++;
    sums.set(step, one);
  }
  const span = spanOf(residuals);
  return [...sums].flatMap(([step, { sum, count }]) => {
    const mean = sum / count;
    const weight = Math.min(count, span / step);
    const bias = LOG_MEAN_VARIANCE / 2 / Math.max(1, weight);
    return mean > 0 ? [{ x: Math.log(step), y: Math.log(mean) + bias, weight }] : [];
  });
}

/**
 * Returns the weighted slope, shrunk towards its expected value by a normal prior (ridge regression with one regressor)
 * and limited to 0 … 1.
 *
 * @param prior variance of y at the weight 1, divided by the variance of the prior
 */
function slope(points: readonly Point[], expected: number, prior: number): number {
  const [x, y] = [weightedMean(points, (point) => point.x), weightedMean(points, (point) => point.y)];
  let spread = 0;
  let covariance = 0;
  for (const point of points) {
    spread += point.weight * (point.x - x) ** 2;
    covariance += point.weight * (point.x - x) * (point.y - y);
  }
  return Math.min(1, Math.max(0, (covariance + prior * expected) / (spread + prior)));
}

/** Returns the weighted mean; 0 without points. */
function weightedMean(points: readonly Point[], of: (point: Point) => number): number {
  let sum = 0;
  let weight = 0;
  for (const point of points) {
    sum += point.weight * of(point);
    weight += point.weight;
  }
  return weight > 0 ? sum / weight : 0;
}

/** Returns the factor between the half width of a row and that of its range. */
export function growthAt(
  { stepPower, sizePower, meanSize }: Growth,
  predicted: number,
  stepsAhead: number,
): number {
  const factor = Math.min(SIZE_FACTOR_MAX, Math.max(1 / SIZE_FACTOR_MAX, predicted / meanSize));
  return (stepPower === 0 ? 1 : stepsAhead ** stepPower) * (sizePower === 0 ? 1 : factor ** sizePower);
}

/**
 * Returns the factor by which the uncertain slope of a series raises the variance of an error, h steps ahead. If the other
 * errors are independent, a slope from n rows adds 12 h² / n³ times their variance (slope of a fitted line). For a random
 * walk it adds h / n times their variance (its mean change). A power of the step between 0 and 1/2 gives a value between
 * both; larger powers count as 1/2. The widths of the ranges include the slope's variance. Beyond the last range, the slope's variance
 * grows faster than the variance of the other errors.
 */
export function slopeVarianceFactor({ stepPower, rows }: Growth, stepsAhead: number): number {
  if (rows === undefined) return 1;
  const walk = Math.min(1, 2 * stepPower);
  return 1 + (12 / rows) ** (1 - walk) * (stepsAhead / rows) ** (2 - walk);
}

/** Returns the number of rows from the first to the last. */
export function spanOf(residuals: readonly Pick<Residual, "place">[]): number {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { place } of residuals) {
    first = Math.min(first, place);
    last = Math.max(last, place);
  }
  return last - first + 1;
}
