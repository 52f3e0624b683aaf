/**
 * Split conformal intervals (Vovk et al. 2005; Lei et al. 2018) around point predictions: the half width is a high
 * quantile of the absolute residuals of rows that the model was not trained on. Residuals grow with the step ahead
 * and with the level of the prediction, so each bucket of steps and level has a quantile of its own (Mondrian).
 */
export type Calibration = {
  level: number;
  buckets: CalibrationBucket[];
  /**
   * Part of the rows that lie inside an interval calibrated without them: each half of the rows is tested with the
   * other half's calibration. Null with too few rows.
   */
  coverage: number | null;
  calibrationRows: number;
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

/**
 * Calibrates on all rows with an actual value; null where there is none. The coverage is observed by cross-conformal
 * prediction (Vovk 2015) with two folds of alternating blocks, so that both see early and late rows alike.
 * `blockLength` is in rows: the horizon of a series, 1 where rows are in random order.
 */
export function calibrate(
  rows: CalibrationRows,
  level: number,
  blockLength: number,
  floor: number | null = null,
): Calibration | null {
  const usable = [...rows.actual.keys()].filter(
    (row) => Number.isFinite(rows.actual[row]!) && Number.isFinite(rows.predicted[row]!),
  );
  if (usable.length === 0) return null;
  const bucketsOf = (part: number[]) =>
    stepBuckets(rows, part).map((bucket) => fitBucket(rows, bucket, level));
  // At least ten blocks where there are rows for it, else one fold would be only early rows.
  const length = Math.max(1, Math.min(blockLength, Math.floor(usable.length / 10)));
  const isFirstFold = (position: number) => Math.floor(position / length) % 2 === 0;
  const folds = [
    usable.filter((_, position) => isFirstFold(position)),
    usable.filter((_, position) => !isFirstFold(position)),
  ];
  const tooFew = folds.some((fold) => fold.length < COVERAGE_ROWS_MIN);
  const inside = tooFew
    ? 0
    : countInside(rows, folds[1]!, bucketsOf(folds[0]!)) + countInside(rows, folds[0]!, bucketsOf(folds[1]!));
  return {
    level,
    buckets: bucketsOf(usable),
    coverage: tooFew ? null : inside / usable.length,
    calibrationRows: usable.length,
    floor,
  };
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
  const widths = predictions.map((value, row) => halfWidth(calibration.buckets, value, steps?.[row] ?? 1));
  return {
    lower: predictions.map((value, row) => Math.max(value - widths[row]!, calibration.floor ?? -Infinity)),
    upper: predictions.map((value, row) => value + widths[row]!),
  };
}

/**
 * The conformal quantile: the ⌈(n + 1) · level⌉-th smallest of n absolute residuals, which covers a new exchangeable
 * row with at least that probability. With too few residuals for the level, the largest.
 */
export function conformalQuantile(residuals: Float64Array, level: number): number {
  const sorted = residuals.map(Math.abs).sort();
  const rank = Math.ceil((sorted.length + 1) * level);
  return sorted[Math.min(rank, sorted.length) - 1] ?? 0;
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

function fitBucket(rows: CalibrationRows, bucket: RowBucket, level: number): CalibrationBucket {
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
    halfWidths.push(conformalQuantile(residuals, level));
    if (i < count - 1) levels.push(rows.predicted[cell.at(-1)!]!);
  }
  return { fromStep: bucket.fromStep, toStep: bucket.toStep, levels, halfWidths };
}

function halfWidth(buckets: readonly CalibrationBucket[], prediction: number, step: number): number {
  const bucket = buckets.find(({ toStep }) => step <= toStep) ?? buckets.at(-1)!;
  const place = bucket.levels.findIndex((level) => prediction <= level);
  return bucket.halfWidths.at(place < 0 ? -1 : place)!;
}
