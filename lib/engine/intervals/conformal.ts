/**
 * Split conformal intervals (Vovk et al. 2005; Lei et al. 2018) around point predictions: the half width is a high
 * quantile of the absolute residuals of rows that the model was not trained on. Residuals grow with the step ahead and
 * with the level of the prediction. They are divided by a power of each, which few rows suffice to find; where there are
 * many, buckets of steps and levels have a quantile of their own each (Mondrian).
 */
export type Calibration = {
  level: number;
  buckets: CalibrationBucket[];
  /** How widths grow within and beyond the buckets; absent: they do not. */
  growth?: Growth;
  /** Part of held-out rows that lie inside an interval calibrated without them. Null with too few rows. */
  coverage: number | null;
  calibrationRows: number;
  /** Rows that the coverage was observed on; absent in calibrations from before it was kept. */
  coverageRows?: number;
  /** No bound lies below it: the least value that the target can have; null where there is none. */
  floor: number | null;
};

/** A half width is that of its bucket × step ^ `step` × (prediction / `at`) ^ `level`. */
export type Growth = { step: number; level: number; at: number };

export type CalibrationBucket = {
  /** Steps ahead that the bucket is for, both included; the last one also serves all steps beyond it. */
  fromStep: number;
  toStep: number;
  /** Predictions up to `levels[i]` have the half width `halfWidths[i]`; those above all have the last one. */
  levels: number[];
  halfWidths: number[];
};

/** Predictions of rows that the model had not seen: of a series the steps from one forecast origin on. */
export type CalibrationRows = {
  actual: Float64Array;
  predicted: Float64Array;
  /** Steps ahead, from 1; null where the model has no series. */
  steps: Int32Array | null;
  /** Place of the first row in the order of time. */
  from?: number;
};

/** Fewer rows than this in a cell and its quantile is mostly chance. */
const CELL_ROWS_MIN = 50;
/** The same for independent draws. */
const CELL_DRAWS_MIN = 24;
const STEP_BUCKETS_MAX = 4;
const LEVELS_MAX = 5;
const COVERAGE_ROWS_MIN = 10;
/** Part of the rows of a series, the latest, that the coverage is observed on. */
const COVERAGE_PART = 1 / 5;
/** Part of all rows after which a residual of a series weighs half. */
const HALF_LIFE = 0.4;
/** Variance of the logarithm of one absolute normal error, and of a mean of many times the number of them. */
const LOG_VARIANCE = Math.PI ** 2 / 8;
const LOG_MEAN_VARIANCE = Math.PI / 2 - 1;
/** How sure the expected growth is: standard deviations of the powers. */
const STEP_POWER_SPREAD = 0.25;
const LEVEL_POWER_SPREAD = 1;
/** Expected of the level: between errors that do not grow with it and errors in proportion. */
const LEVEL_POWER = 0.5;
/** Predictions are taken to lie within this factor of the middle one. */
const LEVEL_FACTOR_MAX = 4;

export type CalibrationOptions = {
  /** Whether rows stand in the order of time or by chance. */
  order: "time" | "random";
  /** The power of the step that errors are expected to grow by: 1/2 for a random walk, 0 for rows that stand alone. */
  stepPower?: number;
  floor?: number | null;
};

/** `place` of its row and `origin` in the order of time. */
type Residual = {
  error: number;
  predicted: number;
  step: number;
  weight: number;
  origin: number;
  place: number;
};

/**
 * Calibrates on all rows with an actual value; null where there is none.
 *
 * The coverage is observed on rows that had no part in it. Rows in the order of time: the latest are tested with a
 * calibration on the earlier ones, as intervals are used. Otherwise every other row is tested with the others'
 * calibration, and these with theirs (Vovk 2015).
 *
 * @param origins in the order of time; of rows by chance all in one
 */
export function calibrate(
  origins: readonly CalibrationRows[],
  level: number,
  { order, stepPower = 0, floor = null }: CalibrationOptions,
): Calibration | null {
  const residuals = residualsOf(origins, order);
  if (residuals.length === 0) return null;
  const isSeries = origins.some(({ steps }) => steps !== null);
  const widthsOf = (some: readonly Residual[]) => fitWidths(some, level, isSeries ? stepPower : null);
  const { inside, count } = observeCoverage(parts(residuals, order), widthsOf);
  const { buckets, growth } = widthsOf(residuals);
  return {
    level,
    buckets,
    growth,
    coverage: count === 0 ? null : inside / count,
    calibrationRows: residuals.length,
    coverageRows: count,
    floor,
  };
}

function residualsOf(origins: readonly CalibrationRows[], order: "time" | "random"): Residual[] {
  const end = origins.reduce((most, { from = 0, actual }) => Math.max(most, from + actual.length), 0);
  return origins.flatMap(({ actual, predicted, steps, from = 0 }, origin) =>
    Array.from(actual, (value, row): Residual => {
      const age = end - 1 - (from + row);
      return {
        error: value - predicted[row]!,
        predicted: predicted[row]!,
        step: steps?.[row] ?? 1,
        weight: order === "time" ? 2 ** (-age / (HALF_LIFE * end)) : 1,
        origin,
        place: from + row,
      };
    }).filter(({ error }) => Number.isFinite(error)),
  );
}

/** Pairs of residuals to calibrate on and to test with. */
function parts(residuals: readonly Residual[], order: "time" | "random"): [Residual[], Residual[]][] {
  if (order === "random") {
    const [even, odd] = [0, 1].map((rest) => residuals.filter((_, at) => at % 2 === rest));
    return [
      [odd!, even!],
      [even!, odd!],
    ];
  }
  const cut = residuals[Math.floor(residuals.length * (1 - COVERAGE_PART))]?.origin ?? 0;
  // Rows of one origin alone: the later of them.
  if (cut === residuals[0]!.origin) {
    const half = Math.floor(residuals.length / 2);
    return [[residuals.slice(0, half), residuals.slice(half)]];
  }
  return [[residuals.filter(({ origin }) => origin < cut), residuals.filter(({ origin }) => origin >= cut)]];
}

/** How many rows lie inside intervals calibrated on others; none are counted with too few of either. */
function observeCoverage(pairs: [Residual[], Residual[]][], widthsOf: (some: readonly Residual[]) => Widths) {
  const tooFew = pairs.some((pair) => pair.some((part) => part.length < COVERAGE_ROWS_MIN));
  if (tooFew) return { inside: 0, count: 0 };
  return pairs.reduce(
    ({ inside, count }, [calibrating, tested]) => {
      const widths = widthsOf(calibrating);
      const held = tested.filter(
        ({ error, predicted, step }) => Math.abs(error) <= halfWidth(widths, predicted, step),
      );
      return { inside: inside + held.length, count: count + tested.length };
    },
    { inside: 0, count: 0 },
  );
}

/** Lower and upper bounds of each prediction, in its order. `steps` as they were calibrated with. */
export function intervals(
  calibration: Calibration,
  predictions: Float64Array,
  steps: Int32Array | null,
): { lower: Float64Array; upper: Float64Array } {
  const lower = new Float64Array(predictions.length);
  const upper = new Float64Array(predictions.length);
  const { floor } = calibration;
  for (let row = 0; row < predictions.length; row++) {
    const value = predictions[row]!;
    const width = halfWidth(calibration, value, steps?.[row] ?? 1);
    lower[row] = Math.max(value - width, floor ?? -Infinity);
    upper[row] = value + width;
  }
  return { lower, upper };
}

/** The smallest size that holds the part of all weight; the largest where the part is 1 or more. */
export function weightedQuantile(sizes: readonly { size: number; weight: number }[], part: number): number {
  const order = sizes.toSorted((a, b) => a.size - b.size);
  const wanted = part * order.reduce((sum, { weight }) => sum + weight, 0);
  let held = 0;
  for (const { size, weight } of order) {
    held += weight;
    // The sum of equal weights is whole: what is missing by rounding is not missing.
    if (held >= wanted - 1e-9) return size;
  }
  return order.at(-1)?.size ?? 0;
}

type Widths = { buckets: CalibrationBucket[]; growth?: Growth };

const NO_GROWTH: Growth = { step: 0, level: 0, at: 1 };

/** @param stepPower expected growth with the step; null without a series */
function fitWidths(
  residuals: readonly Residual[],
  level: number,
  stepPower: number | null,
): Required<Widths> {
  // Errors of one origin are alike: together they are one draw.
  const draws = stepPower === null ? residuals.length : new Set(residuals.map(({ origin }) => origin)).size;
  const growth = stepPower === null ? NO_GROWTH : fitGrowth(residuals, stepPower, draws / residuals.length);
  const normal = residuals.map((one) => ({
    ...one,
    error: one.error / growthAt(growth, one.predicted, one.step),
  }));
  const steps = stepPower === null ? [wholeRange(normal)] : stepBuckets(normal, draws);
  // What is predicted is one more draw.
  const part = (level * (draws + 1)) / draws;
  return { buckets: steps.map((bucket) => fitBucket(bucket, part, draws)), growth };
}

/** Rows from the first to the last. */
function spanOf(residuals: readonly Residual[]): number {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { place } of residuals) {
    first = Math.min(first, place);
    last = Math.max(last, place);
  }
  return last - first + 1;
}

/** A point of a regression. */
type Point = { x: number; y: number; weight: number };

/**
 * Powers of step and level by which absolute errors grow: slopes of their logarithm, each drawn towards what is expected
 * as a normal prior does (ridge regression with one regressor), between 0 and 1.
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

/** The mean absolute error by step. */
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

/** 0 without points. */
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
    if (i < count - 1) levels.push(cell.at(-1)!.predicted + 0); // Never negative zero, which JSON would lose.
  }
  return { fromStep, toStep, levels, halfWidths };
}

function halfWidth({ buckets, growth = NO_GROWTH }: Widths, prediction: number, step: number): number {
  const bucket = buckets.find(({ toStep }) => step <= toStep) ?? buckets.at(-1)!;
  const place = bucket.levels.findIndex((level) => prediction <= level);
  return bucket.halfWidths.at(place < 0 ? -1 : place)! * growthAt(growth, prediction, step);
}
