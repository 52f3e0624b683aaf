/**
 * The half width of a row is that of its bucket × step ^ `step` × (prediction / `at`) ^ `level`. The ratio prediction /
 * `at` is limited to 1/4 … 4. Beyond the last step of the buckets, the width also grows by the uncertainty of a slope that
 * `rows` rows determine; absent in earlier calibrations.
 */
export type Growth = { step: number; level: number; at: number; rows?: number };

export type CalibrationBucket = {
  /** Steps ahead of the bucket, both inclusive; the last bucket also covers all later steps. */
  fromStep: number;
  toStep: number;
  /**
   * Predictions up to `levels[i]` have the half width `halfWidths[i]`; predictions above all levels have the last
   * one.
   */
  levels: number[];
  halfWidths: number[];
};

/** An error of a prediction. `place` is the row's index in time order, `origin` the index of the forecast. */
export type Residual = {
  error: number;
  predicted: number;
  step: number;
  weight: number;
  origin: number;
  place: number;
};

/** Minimum number of rows per cell; the quantile of fewer rows is mostly chance. */
const CELL_ROWS_MIN = 50;
/** Minimum number of draws per cell: rows, or the forecast origins of a series. A cell is a range of steps and predictions. */
const CELL_DRAWS_MIN = 24;
const STEP_BUCKETS_MAX = 4;
const LEVELS_MAX = 5;
/** Variance of log |e| for a normal error e. */
const LOG_VARIANCE = Math.PI ** 2 / 8;
/** n times the variance of the logarithm of the mean of n absolute normal errors. */
const LOG_MEAN_VARIANCE = Math.PI / 2 - 1;
/** Standard deviations of the prior for the growth powers. */
const STEP_POWER_SPREAD = 0.25;
const LEVEL_POWER_SPREAD = 1;
/** Prior mean of the level's power: between constant errors and errors in proportion to the level. */
const LEVEL_POWER = 0.5;
/** Limit of the ratio prediction / `at`, in both directions. */
const LEVEL_FACTOR_MAX = 4;

/**
 * Returns the smallest size at which the cumulative weight reaches the fraction `part`; the largest size if `part` is
 * 1 or more.
 */
export function weightedQuantile(sizes: readonly { size: number; weight: number }[], part: number): number {
  const order = sizes.toSorted((a, b) => a.size - b.size);
  const wanted = part * order.reduce((sum, { weight }) => sum + weight, 0);
  let held = 0;
  for (const { size, weight } of order) {
    held += weight;
    // The sum of equal weights is an integer: tolerate rounding errors.
    if (held >= wanted - 1e-9) return size;
  }
  return order.at(-1)?.size ?? 0;
}

export type Widths = { buckets: CalibrationBucket[]; growth?: Growth };

const NO_GROWTH: Growth = { step: 0, level: 0, at: 1 };

/**
 * Fits half widths and their growth.
 *
 * @param stepPower expected growth with the step; null without a series
 * @param rows rows that the model learned from
 */
export function fitWidths(
  residuals: readonly Residual[],
  level: number,
  { stepPower, rows }: { stepPower: number | null; rows: number },
): Required<Widths> {
  // Errors of one origin are correlated: count them as one draw.
  const draws = stepPower === null ? residuals.length : new Set(residuals.map(({ origin }) => origin)).size;
  const growth = stepPower === null ? NO_GROWTH : fitGrowth(residuals, stepPower, draws / residuals.length);
  const normal = residuals.map((one) => ({
    ...one,
    error: one.error / growthAt(growth, one.predicted, one.step),
  }));
  const steps = stepPower === null ? [wholeRange(normal)] : stepBuckets(normal, draws);
  // Finite-sample correction of conformal prediction: n errors and the new one.
  const independent = stepPower === null ? draws : Math.max(draws, independentErrors(normal));
  const part = (level * (independent + 1)) / independent;
  const buckets = steps.map((bucket) => fitBucket(bucket, part, draws));
  return { buckets, growth: stepPower === null ? growth : { ...growth, rows } };
}

/** Returns the number of rows from the first to the last. */
export function spanOf(residuals: readonly Residual[]): number {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { place } of residuals) {
    first = Math.min(first, place);
    last = Math.max(last, place);
  }
  return last - first + 1;
}

/**
 * Estimates the effective number of errors. Errors of one origin resemble each other, so they count for fewer. Their number
 * is divided by the design effect 1 + (m − 1) · r for m errors per origin with the intraclass
 * correlation r of their sizes (Kish 1965, chapters 5 and 11). A row counts once, however many origins predict it.
 */
function independentErrors(residuals: readonly Residual[]): number {
  const [count, size] = [residuals.length, ({ error }: Residual) => Math.abs(error)];
  const meanOf = (rows: readonly Residual[]) => rows.reduce((sum, one) => sum + size(one), 0) / rows.length;
  const origins = [...Map.groupBy(residuals, ({ origin }) => origin).values()];
  if (origins.length < 2 || count === origins.length) return origins.length;
  const mean = meanOf(residuals);
  let within = 0;
  let between = 0;
  let [weight, squares] = [0, 0];
  for (const rows of origins) {
    const own = meanOf(rows);
    between += (rows.length * (own - mean) ** 2) / (origins.length - 1);
    for (const one of rows) {
      within += (size(one) - own) ** 2 / (count - origins.length);
      weight += one.weight;
      squares += one.weight ** 2;
    }
  }
  const each = count / origins.length;
  // Intraclass correlation by a one-way analysis of variance, limited to 0 … 1.
  const alike = Math.min(1, Math.max(0, (between - within) / (between + (each - 1) * within || 1)));
  const effect = 1 + (each - 1) * alike;
  const kept = weight ** 2 / squares / count;
  return (Math.min(count, spanOf(residuals)) * kept) / effect;
}

/** A point of a regression. */
type Point = { x: number; y: number; weight: number };

/**
 * Estimates the powers of step and level by which absolute errors grow. They are slopes of the errors' logarithm,
 * each shrunk towards its expected value by a normal prior (ridge regression with one regressor), and limited to 0 …
 * 1.
 */
function fitGrowth(residuals: readonly Residual[], stepPower: number, share: number): Growth {
  const step = slope(stepPoints(residuals), stepPower, LOG_MEAN_VARIANCE / STEP_POWER_SPREAD ** 2);
  if (residuals.some(({ predicted }) => predicted <= 0)) return { ...NO_GROWTH, step };
  const points = residuals.flatMap((one): Point[] =>
    one.error === 0
      ? []
      : [
          {
            x: Math.log(one.predicted),
            y: Math.log(Math.abs(one.error)) - step * Math.log(one.step),
            weight: one.weight * share,
          },
        ],
  );
  const level = slope(points, LEVEL_POWER, LOG_VARIANCE / LEVEL_POWER_SPREAD ** 2);
  return { step, level, at: Math.exp(weightedMean(points, ({ x }) => x)) };
}

/** Returns the mean absolute error by step. */
function stepPoints(residuals: readonly Residual[]): Point[] {
  const sums = new Map<number, { sum: number; count: number }>();
  for (const { error, step } of residuals) {
    const one = sums.get(step) ?? { sum: 0, count: 0 };
    one.sum += Math.abs(error);
    one.count++;
    sums.set(step, one);
  }
  const span = spanOf(residuals);
  return [...sums].flatMap(([step, { sum, count }]) =>
    sum > 0 ? [{ x: Math.log(step), y: Math.log(sum / count), weight: Math.min(count, span / step) }] : [],
  );
}

function slope(points: readonly Point[], expected: number, prior: number): number {
  const [x, y] = [weightedMean(points, (point) => point.x), weightedMean(points, (point) => point.y)];
  let spread = 0;
  let together = 0;
  for (const point of points) {
    spread += point.weight * (point.x - x) ** 2;
    together += point.weight * (point.x - x) * (point.y - y);
  }
  return Math.min(1, Math.max(0, (together + prior * expected) / (spread + prior)));
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

function growthAt({ step, level, at }: Growth, predicted: number, stepsAhead: number): number {
  const factor = Math.min(LEVEL_FACTOR_MAX, Math.max(1 / LEVEL_FACTOR_MAX, predicted / at));
  return (step === 0 ? 1 : stepsAhead ** step) * (level === 0 ? 1 : factor ** level);
}

type RowBucket = { fromStep: number; toStep: number; rows: Residual[] };

function wholeRange(rows: Residual[]): RowBucket {
  return { fromStep: 1, toStep: rows.reduce((most, { step }) => Math.max(most, step), 1), rows };
}

function stepBuckets(residuals: Residual[], draws: number): RowBucket[] {
  const whole = wholeRange(residuals);
  const longest = whole.toStep;
  const count = cellCount(residuals.length, draws, STEP_BUCKETS_MAX);
  if (count === 1 || longest < count) return [whole];
  const buckets = Array.from({ length: count }, (_, i): RowBucket => {
    const fromStep = Math.floor((i * longest) / count) + 1;
    const toStep = Math.floor(((i + 1) * longest) / count);
    return {
      fromStep,
      toStep,
      rows: residuals.filter(({ step }) => step >= fromStep && step <= toStep),
    };
  });
  return buckets.some((bucket) => bucket.rows.length < CELL_ROWS_MIN / 2) ? [whole] : buckets;
}

function cellCount(rows: number, draws: number, most: number): number {
  const affordable = Math.floor(Math.min(rows / CELL_ROWS_MIN, draws / CELL_DRAWS_MIN));
  return Math.max(1, Math.min(most, affordable));
}

function fitBucket({ fromStep, toStep, rows }: RowBucket, part: number, draws: number): CalibrationBucket {
  const ordered = rows.toSorted((a, b) => a.predicted - b.predicted);
  const count = cellCount(ordered.length, draws, LEVELS_MAX);
  const levels: number[] = [];
  const halfWidths: number[] = [];
  for (let i = 0; i < count; i++) {
    const cut = (at: number) => Math.floor((at * ordered.length) / count);
    const cell = ordered.slice(cut(i), cut(i + 1));
    halfWidths.push(
      weightedQuantile(
        cell.map(({ error, weight }) => ({ size: Math.abs(error), weight })),
        part,
      ),
    );
    if (i < count - 1) levels.push(cell.at(-1)!.predicted + 0); // Avoids negative zero, which JSON would lose.
  }
  return { fromStep, toStep, levels, halfWidths };
}

export function halfWidth({ buckets, growth = NO_GROWTH }: Widths, prediction: number, step: number): number {
  const bucket = buckets.find(({ toStep }) => step <= toStep) ?? buckets.at(-1)!;
  const place = bucket.levels.findIndex((level) => prediction <= level);
  const width = bucket.halfWidths.at(place < 0 ? -1 : place)! * growthAt(growth, prediction, step);
  const beyond = step > bucket.toStep ? withSlope(growth, step) / withSlope(growth, bucket.toStep) : 1;
  return width * Math.sqrt(beyond);
}

/**
 * Returns the error's variance including that of the slope as a multiple of that without. Buckets observe both, but the
 * part of the slope grows faster: by the square of the step. From n rows, h steps ahead, its share is 12 h² / n³ for errors
 * that are independent (a fitted line) and h / n for a random walk (its mean change). Powers between them have shares
 * between.
 */
function withSlope({ step: power, rows }: Growth, step: number): number {
  if (rows === undefined) return 1;
  const walk = Math.min(1, 2 * power);
  return 1 + (12 / rows) ** (1 - walk) * (step / rows) ** (2 - walk);
}
