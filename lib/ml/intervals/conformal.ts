/**
 * Split conformal intervals (Vovk et al. 2005; Lei et al. 2018) around point predictions: the half width is a high
 * quantile of the absolute residuals of rows that the model was not trained on. Residuals grow with the step ahead
 * and with the level of the prediction, so each bucket of steps and level has a quantile of its own (Mondrian).
 */
export type Calibration = {
  level: number;
  buckets: CalibrationBucket[];
  /** Part of held-out rows that lie inside an interval calibrated without them. Null with too few rows. */
  coverage: number | null;
  calibrationRows: number;
  /** Rows that the coverage was observed on; absent in calibrations from before it was kept. */
  coverageRows?: number;
  /** No bound lies below it: the least value that the target can have; null where there is none. */
  floor: number | null;
};

export type CalibrationBucket = {
  /** Steps ahead that the bucket is for, both included; the last one also serves all steps beyond it. */
  fromStep: number;
  toStep: number;
  /** Predictions up to `levels[i]` have the half width `halfWidths[i]`; those above all have the last one. */
  levels: number[];
  halfWidths: number[];
};

export type CalibrationRows = {
  actual: Float64Array;
  predicted: Float64Array;
  /** Steps ahead, from 1; null where the model has no series. */
  steps: Int32Array | null;
};

/** Fewer rows than this in a cell and its quantile is mostly chance. */
const CELL_ROWS_MIN = 50;
const STEP_BUCKETS_MAX = 4;
const LEVELS_MAX = 5;
const COVERAGE_ROWS_MIN = 10;

export type CalibrationOptions = {
  /** Whether rows stand in the order of time or by chance. */
  order: "time" | "random";
  /** Forecasts of earlier rows by models that had not seen them: what the validation rows' season does not show. */
  backTests?: readonly CalibrationRows[];
  floor?: number | null;
};

/**
 * Calibrates on all rows with an actual value, those of back-tests included; null where there is none.
 *
 * The coverage is observed on rows that had no part in it. Rows in the order of time: the later half is tested with a
 * calibration on the earlier half and the back-tests, as intervals are used on rows later than any that were known;
 * there the newest residuals weigh most.
 * Otherwise every other row is tested with the others' calibration, and these with theirs (Vovk 2015).
 */
export function calibrate(
  heldOut: CalibrationRows,
  level: number,
  { order, backTests = [], floor = null }: CalibrationOptions,
): Calibration | null {
  const rows = joinRows([...backTests, heldOut]);
  const usable = [...rows.actual.keys()].filter(
    (row) => Number.isFinite(rows.actual[row]!) && Number.isFinite(rows.predicted[row]!),
  );
  if (usable.length === 0) return null;
  const earlier = usable.filter((row) => row < rows.actual.length - heldOut.actual.length);
  const tested = usable.slice(earlier.length);
  const half = Math.floor(tested.length / 2);
  const pairs =
    order === "time"
      ? [[[...earlier, ...tested.slice(0, half)], tested.slice(half)]]
      : [everyOther(tested, 0), everyOther(tested, 1)].map((part, i, both) => [both[1 - i]!, part]);
  const halfLife = order === "time" ? 2 * heldOut.actual.length : Number.POSITIVE_INFINITY;
  const bucketsOf = (calibrating: number[]) => fitBuckets(rows, calibrating, level, halfLife);
  const { inside, count } = observeCoverage(rows, pairs as [number[], number[]][], bucketsOf);
  return {
    level,
    buckets: bucketsOf(usable),
    coverage: count === 0 ? null : inside / count,
    calibrationRows: usable.length,
    coverageRows: count,
    floor,
  };
}

/** How many rows lie inside intervals calibrated on others; none are counted with too few of either. */
function observeCoverage(
  rows: CalibrationRows,
  pairs: [number[], number[]][],
  bucketsOf: (calibrating: number[]) => CalibrationBucket[],
) {
  const tooFew = pairs.some((parts) => parts.some((part) => part.length < COVERAGE_ROWS_MIN));
  if (tooFew) return { inside: 0, count: 0 };
  return pairs.reduce(
    ({ inside, count }, [calibrating, tested]) => ({
      inside: inside + countInside(rows, tested, bucketsOf(calibrating)),
      count: count + tested.length,
    }),
    { inside: 0, count: 0 },
  );
}

const everyOther = (rows: number[], from: 0 | 1) => rows.filter((_, position) => position % 2 === from);

/** The older a row, the less it weighs: half after `halfLife` further rows. */
function fitBuckets(
  rows: CalibrationRows,
  calibrating: number[],
  level: number,
  halfLife: number,
): CalibrationBucket[] {
  const weights = new Map(
    calibrating.map((row, position) => [row, 2 ** ((position + 1 - calibrating.length) / halfLife)]),
  );
  return stepBuckets(rows, calibrating).map((bucket) => fitBucket(rows, bucket, level, weights));
}

function joinRows(parts: readonly CalibrationRows[]): CalibrationRows {
  if (parts.length === 1) return parts[0]!;
  const join = (of: (part: CalibrationRows) => Float64Array) =>
    Float64Array.from(parts.flatMap((part) => [...of(part)]));
  const steps = parts.some((part) => part.steps === null)
    ? null
    : Int32Array.from(parts.flatMap((part) => [...part.steps!]));
  return { actual: join(({ actual }) => actual), predicted: join(({ predicted }) => predicted), steps };
}

function countInside(rows: CalibrationRows, tested: number[], buckets: readonly CalibrationBucket[]): number {
  return tested.filter((row) => {
    const width = halfWidth(buckets, rows.predicted[row]!, rows.steps?.[row] ?? 1);
    return Math.abs(rows.actual[row]! - rows.predicted[row]!) <= width;
  }).length;
}

/** Lower and upper bounds of each prediction, in its order. `steps` as they were calibrated with. */
export function intervals(
  calibration: Calibration,
  predictions: Float64Array,
  steps: Int32Array | null,
): { lower: Float64Array; upper: Float64Array } {
  const lower = new Float64Array(predictions.length);
  const upper = new Float64Array(predictions.length);
  const { buckets, floor } = calibration;
  for (let row = 0; row < predictions.length; row++) {
    const value = predictions[row]!;
    const width = halfWidth(buckets, value, steps?.[row] ?? 1);
    lower[row] = Math.max(value - width, floor ?? -Infinity);
    upper[row] = value + width;
  }
  return { lower, upper };
}

/**
 * The conformal quantile: the ⌈(n + 1) · level⌉-th smallest of n absolute residuals, which covers a new exchangeable
 * row with at least that probability. With too few residuals for the level, the largest. With weights, the smallest
 * that holds that part of all weight, a new row counting 1 (Barber et al. 2023).
 */
export function conformalQuantile(
  residuals: Float64Array,
  level: number,
  weights: Float64Array = new Float64Array(residuals.length).fill(1),
): number {
  const order = [...residuals.keys()].sort((a, b) => Math.abs(residuals[a]!) - Math.abs(residuals[b]!));
  const wanted = level * (weights.reduce((sum, weight) => sum + weight, 0) + 1);
  let held = 0;
  for (const row of order) {
    held += weights[row]!;
    // The sum of equal weights is whole: what is missing by rounding is not missing.
    if (held >= wanted - 1e-9) return Math.abs(residuals[row]!);
  }
  return Math.abs(residuals[order.at(-1) ?? -1] ?? 0);
}

type RowBucket = { fromStep: number; toStep: number; rows: number[] };

function stepBuckets(rows: CalibrationRows, calibrating: number[]): RowBucket[] {
  const { steps } = rows;
  const count = Math.max(1, Math.min(STEP_BUCKETS_MAX, Math.floor(calibrating.length / CELL_ROWS_MIN)));
  const longest = steps ? calibrating.reduce((most, row) => Math.max(most, steps[row]!), 1) : 1;
  if (!steps || count === 1 || longest < count) return [{ fromStep: 1, toStep: longest, rows: calibrating }];
  const buckets = Array.from({ length: count }, (_, i): RowBucket => {
    const fromStep = Math.floor((i * longest) / count) + 1;
    const toStep = Math.floor(((i + 1) * longest) / count);
    return {
      fromStep,
      toStep,
      rows: calibrating.filter((row) => steps[row]! >= fromStep && steps[row]! <= toStep),
    };
  });
  const tooFew = buckets.some((bucket) => bucket.rows.length < CELL_ROWS_MIN / 2);
  return tooFew ? [{ fromStep: 1, toStep: longest, rows: calibrating }] : buckets;
}

function fitBucket(
  rows: CalibrationRows,
  bucket: RowBucket,
  level: number,
  weights: ReadonlyMap<number, number>,
): CalibrationBucket {
  const ordered = bucket.rows.toSorted((a, b) => rows.predicted[a]! - rows.predicted[b]! || a - b);
  const count = Math.max(1, Math.min(LEVELS_MAX, Math.floor(ordered.length / CELL_ROWS_MIN)));
  const levels: number[] = [];
  const halfWidths: number[] = [];
  for (let i = 0; i < count; i++) {
    const cell = ordered.slice(
      Math.floor((i * ordered.length) / count),
      Math.floor(((i + 1) * ordered.length) / count),
    );
    const residuals = Float64Array.from(cell, (row) => rows.actual[row]! - rows.predicted[row]!);
    halfWidths.push(
      conformalQuantile(
        residuals,
        level,
        Float64Array.from(cell, (row) => weights.get(row)!),
      ),
    );
    if (i < count - 1) levels.push(rows.predicted[cell.at(-1)!]!);
  }
  return { fromStep: bucket.fromStep, toStep: bucket.toStep, levels, halfWidths };
}

function halfWidth(buckets: readonly CalibrationBucket[], prediction: number, step: number): number {
  const bucket = buckets.find(({ toStep }) => step <= toStep) ?? buckets.at(-1)!;
  const place = bucket.levels.findIndex((level) => prediction <= level);
  return bucket.halfWidths.at(place < 0 ? -1 : place)!;
}
