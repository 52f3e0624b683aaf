/**
 * Growth of half widths, under the names of `calibration.json`. The half width of a row is that of its bucket × steps
 * ahead ^ `step` × (prediction / `at`) ^ `level`. The code calls the powers `stepPower` and `sizePower`. The ratio
 * prediction / `at` is limited to 1/4 … 4. Beyond the last step of the buckets, the width also grows by the uncertainty of a
 * slope that `rows` rows determine. There, each step also adds `slopeGap`: the part of the difference between the slopes of
 * past and forecasts that this uncertainty does not explain. Both are absent in earlier calibrations.
 */
export type Growth = { step: number; level: number; at: number; rows?: number; slopeGap?: number };

export type CalibrationBucket = {
  /** Steps ahead of the bucket, both inclusive; the last bucket also covers all later steps. */
  fromStep: number;
  toStep: number;
  /**
   * Ascending limits of the prediction, not levels of coverage. Predictions up to `levels[i]` have the half width
   * `halfWidths[i]`; predictions above all limits have the last one.
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
const SIZE_CELLS_MAX = 5;
/** Variance of log |e| for a normal error e. */
const LOG_VARIANCE = Math.PI ** 2 / 8;
/** n times the variance of the logarithm of the mean of n absolute normal errors. */
const LOG_MEAN_VARIANCE = Math.PI / 2 - 1;
/** Standard deviations of the prior for the growth powers. */
const STEP_POWER_SPREAD = 0.25;
const SIZE_POWER_SPREAD = 1;
/** Prior mean of the power of the prediction's size: between constant errors and errors in proportion to it. */
const SIZE_POWER = 0.5;
/** Limit of the ratio prediction / `at`, in both directions. */
const SIZE_FACTOR_MAX = 4;

/**
 * Returns the smallest value at which the cumulative weight reaches the fraction `part`; the largest value if `part` is
 * 1 or more.
 */
export function weightedQuantile(values: readonly { value: number; weight: number }[], part: number): number {
  const order = values.toSorted((a, b) => a.value - b.value);
  const wanted = part * order.reduce((sum, { weight }) => sum + weight, 0);
  let held = 0;
  for (const { value, weight } of order) {
    held += weight;
    // The sum of equal weights is an integer: tolerate rounding errors.
    if (held >= wanted - 1e-9) return value;
  }
  return order.at(-1)?.value ?? 0;
}

export type Widths = { buckets: CalibrationBucket[]; growth?: Growth };

const NO_GROWTH: Growth = { step: 0, level: 0, at: 1 };

/**
 * Fits half widths and their growth.
 *
 * @param coverageLevel nominal coverage, such as 0.9
 * @param stepPower expected power of the steps ahead; null without a series
 * @param rows rows that the model learned from
 * @param slopeDifference difference between the slopes of the past and of the forecasts, per step
 */
export function fitWidths(
  residuals: readonly Residual[],
  coverageLevel: number,
  { stepPower, rows, slopeDifference }: { stepPower: number | null; rows: number; slopeDifference: number },
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
  const part = (coverageLevel * (independent + 1)) / independent;
  const buckets = steps.map((bucket) => fitBucket(bucket, part, draws));
  if (stepPower === null) return { buckets, growth };
  const known = { ...growth, rows };
  return {
    buckets,
    growth: { ...known, slopeGap: Math.max(0, slopeDifference - slopeError(known, normal)) },
  };
}

/** Returns the standard error of a slope that the rows determine, given errors divided by their growth. */
function slopeError(growth: Growth, normal: readonly Residual[]): number {
  const squares = normal.reduce((sum, { error }) => sum + error ** 2, 0) / normal.length;
  // The share of the slope grows as the square of the step divided by the variance, so one step suffices.
  return Math.sqrt(squares * (slopeVarianceFactor(growth, 1) - 1));
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
  const [count, absolute] = [residuals.length, ({ error }: Residual) => Math.abs(error)];
  const meanOf = (rows: readonly Residual[]) =>
    rows.reduce((sum, one) => sum + absolute(one), 0) / rows.length;
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
      within += (absolute(one) - own) ** 2 / (count - origins.length);
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
 * Estimates the powers of the steps ahead and of the prediction's size by which absolute errors grow. They are slopes
 * of the errors' logarithm, each shrunk towards its expected value by a normal prior (ridge regression with one regressor), and limited to 0 …
 * 1.
 */
function fitGrowth(residuals: readonly Residual[], expectedPower: number, share: number): Growth {
  const stepPower = slope(stepPoints(residuals), expectedPower, LOG_MEAN_VARIANCE / STEP_POWER_SPREAD ** 2);
  if (residuals.some(({ predicted }) => predicted <= 0)) return { ...NO_GROWTH, step: stepPower };
  const points = residuals.flatMap((one): Point[] =>
    one.error === 0
      ? []
      : [
          {
            x: Math.log(one.predicted),
            y: Math.log(Math.abs(one.error)) - stepPower * Math.log(one.step),
            weight: one.weight * share,
          },
        ],
  );
  const sizePower = slope(points, SIZE_POWER, LOG_VARIANCE / SIZE_POWER_SPREAD ** 2);
  return { step: stepPower, level: sizePower, at: Math.exp(weightedMean(points, ({ x }) => x)) };
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

function growthAt(
  { step: stepPower, level: sizePower, at }: Growth,
  predicted: number,
  stepsAhead: number,
): number {
  const factor = Math.min(SIZE_FACTOR_MAX, Math.max(1 / SIZE_FACTOR_MAX, predicted / at));
  return (stepPower === 0 ? 1 : stepsAhead ** stepPower) * (sizePower === 0 ? 1 : factor ** sizePower);
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
  const count = cellCount(ordered.length, draws, SIZE_CELLS_MAX);
  const limits: number[] = [];
  const halfWidths: number[] = [];
  for (let i = 0; i < count; i++) {
    const cut = (at: number) => Math.floor((at * ordered.length) / count);
    const cell = ordered.slice(cut(i), cut(i + 1));
    halfWidths.push(
      weightedQuantile(
        cell.map(({ error, weight }) => ({ value: Math.abs(error), weight })),
        part,
      ),
    );
    if (i < count - 1) limits.push(cell.at(-1)!.predicted + 0); // Avoids negative zero, which JSON would lose.
  }
  return { fromStep, toStep, levels: limits, halfWidths };
}

export function halfWidth({ buckets, growth = NO_GROWTH }: Widths, prediction: number, step: number): number {
  const bucket = buckets.find(({ toStep }) => step <= toStep) ?? buckets.at(-1)!;
  const { levels: limits, halfWidths } = bucket;
  const cell = limits.findIndex((limit) => prediction <= limit);
  const width = halfWidths.at(cell < 0 ? -1 : cell)! * growthAt(growth, prediction, step);
  if (step <= bucket.toStep) return width;
  const { slopeGap = 0 } = growth;
  const wider = Math.sqrt(slopeVarianceFactor(growth, step) / slopeVarianceFactor(growth, bucket.toStep));
  // Bounds around a biased prediction cover 90 to 95% if both move by the bias.
  return width * wider + slopeGap * (step - bucket.toStep);
}

/**
 * Returns the factor by which the uncertainty of the slope raises the error's variance. Buckets observe both, but the
 * part of the slope grows faster: by the square of the step. From n rows, h steps ahead, its share is 12 h² / n³ for errors
 * that are independent (a fitted line) and h / n for a random walk (its mean change). Powers between them have shares
 * between.
 */
function slopeVarianceFactor({ step: stepPower, rows }: Growth, stepsAhead: number): number {
  if (rows === undefined) return 1;
  const walk = Math.min(1, 2 * stepPower);
  return 1 + (12 / rows) ** (1 - walk) * (stepsAhead / rows) ** (2 - walk);
}
