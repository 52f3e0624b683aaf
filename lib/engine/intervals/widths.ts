import { INTERVAL_LEVEL } from "#lib/contract/interval-shape";
import { studentQuantile } from "./difference-interval.ts";
import {
  fitGrowth,
  type Growth,
  growthAt,
  NO_GROWTH,
  type Residual,
  slopeVarianceFactor,
  spanOf,
} from "./growth.ts";

// An interval is a prediction ± a half width: the quantile of the absolute errors that the procedure made on rows it had not
// seen. Errors differ in size, so they are first divided by their growth with the steps ahead and with the size of the prediction
// (`growth.ts`). The quantile of the divided errors is stored, and multiplied by the growth of each row that is predicted.
//
// For example, the stored half width is 10, for one step ahead and predictions around 100. Errors grew by the power .5 of the step
// and .5 of the prediction. A prediction of 100 four steps ahead gets ± 10 · 4^.5 · 1 = 20. A prediction of 400 there gets
// ± 10 · 4^.5 · (400 / 100)^.5 = 40.
//
// One quantile of all errors would be too wide for the next step and too narrow for the last one. A quantile for each step would
// be mostly chance, because a step has one error for each forecast origin: of 24 errors, the 90% quantile is the second largest.
// So errors are divided into ranges of steps and of predictions only where each keeps about 50 errors.

/** Half widths for a range of steps ahead, by ranges of the prediction. */
export type CalibrationRange = {
  /** Steps ahead of the range, both inclusive. The last range also covers all later steps. */
  fromStep: number;
  toStep: number;
  /**
   * Ascending limits of the prediction. Predictions up to `limits[i]` have the half width `halfWidths[i]`. Predictions
   * above all limits have the last half width.
   */
  limits: number[];
  /** Half widths one step ahead, for predictions of the size `growth.meanSize`. */
  halfWidths: number[];
};

/**
 * A cell is a range of steps and of predictions. Normally it has at least this number of rows, and a range of steps at least
 * half of it. The quantile of fewer rows is mostly chance.
 */
const CELL_ROWS = 50;
/** Minimum number of draws for each cell. A draw is a row; for a series, a forecast origin, whose errors are correlated. */
const CELL_DRAWS_MIN = 24;
const STEP_RANGES_MAX = 4;
const SIZE_CELLS_MAX = 5;

/**
 * Returns the smallest value at which the cumulative weight reaches `fraction` of the total; the largest value if
 * `fraction` is 1 or more; 0 without values.
 */
export function weightedQuantile(
  values: readonly { value: number; weight: number }[],
  fraction: number,
): number {
  const order = values.toSorted((a, b) => a.value - b.value);
  const targetWeight = fraction * order.reduce((sum, { weight }) => sum + weight, 0);
  let held = 0;
  for (const { value, weight } of order) {
    held += weight;
    // With weights of 1, `held` may equal `targetWeight` up to rounding.
    if (held >= targetWeight - 1e-9) return value;
  }
  return order.at(-1)?.value ?? 0;
}

export type Widths = { ranges: CalibrationRange[]; growth?: Growth };

/**
 * Fits half widths and their growth. Without a series, widths do not grow, and there is one range of
 * steps, which is still divided by ranges of the prediction.
 *
 * @param expectedStepPower prior mean of the power of the steps ahead; null without a series
 * @param rows number of rows that the model learned from
 * @param slopeDifference absolute difference between the slopes of the past and of the forecasts, per step
 * @param noise standard deviation of the noise in a series: too few errors may all be smaller by chance
 */
export function fitWidths(
  residuals: readonly Residual[],
  {
    expectedStepPower,
    rows,
    slopeDifference,
    noise = 0,
  }: { expectedStepPower: number | null; rows: number; slopeDifference: number; noise?: number | undefined },
): Required<Widths> {
  // Errors of one origin are correlated: count them as one draw.
  const draws =
    expectedStepPower === null ? residuals.length : new Set(residuals.map(({ origin }) => origin)).size;
  const growth =
    expectedStepPower === null
      ? NO_GROWTH
      : fitGrowth(residuals, expectedStepPower, draws / residuals.length);
  const normalized = residuals.map((one) => ({
    ...one,
    error: one.error / growthAt(growth, one.predicted, one.step),
  }));
  const groups = expectedStepPower === null ? [wholeRange(normalized)] : stepRanges(normalized, draws);
  const ofSeries = expectedStepPower === null ? null : Math.max(draws, independentErrors(normalized));
  // Finite-sample correction of conformal prediction: the new error is one of n + 1. Each cell of independent rows is
  // calibrated alone. Errors of a series are first divided by their common growth, so the correction counts those of all cells together.
  const levelOf = (rows: number) => (INTERVAL_LEVEL * ((ofSeries ?? rows) + 1)) / (ofSeries ?? rows);
  const ranges = groups.map((group) => fitRange(group, levelOf, { draws, noise }));
  if (expectedStepPower === null) return { ranges, growth };
  const known = { ...growth, rows };
  return {
    ranges,
    growth: { ...known, slopeGap: Math.max(0, slopeDifference - slopeError(known, normalized)) },
  };
}

/**
 * Returns the standard error of the slope of a series, per step.
 *
 * @param normalized errors divided by their growth, so that all have the variance of errors one step ahead
 */
function slopeError(growth: Growth, normalized: readonly Residual[]): number {
  const squares = normalized.reduce((sum, { error }) => sum + error ** 2, 0) / normalized.length;
  // One step ahead, the factor minus 1 is the variance of the slope divided by that of the errors.
  return Math.sqrt(squares * (slopeVarianceFactor(growth, 1) - 1));
}

/**
 * Estimates the effective sample size: the number of independent errors with the same information. Errors of one origin
 * are correlated, so the number of errors is divided by the design effect 1 + (m − 1) · r. Here m is the number of errors
 * per origin and r the intraclass correlation of the absolute errors (Kish 1965, chapters 5 and 11). Unequal weights
 * reduce the number further. A row counts once, however many origins predict it.
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
  const errorsPerOrigin = count / origins.length;
  // Intraclass correlation by a one-way analysis of variance, limited to 0 … 1.
  const correlation = Math.min(
    1,
    Math.max(0, (between - within) / (between + (errorsPerOrigin - 1) * within || 1)),
  );
  const effect = 1 + (errorsPerOrigin - 1) * correlation;
  const weightEfficiency = weight ** 2 / squares / count;
  return (Math.min(count, spanOf(residuals)) * weightEfficiency) / effect;
}

type StepRange = { fromStep: number; toStep: number; rows: Residual[] };

function wholeRange(rows: Residual[]): StepRange {
  return { fromStep: 1, toStep: rows.reduce((most, { step }) => Math.max(most, step), 1), rows };
}

/** Divides the rows by ranges of steps, as many as rows and draws allow. */
function stepRanges(residuals: Residual[], draws: number): StepRange[] {
  const whole = wholeRange(residuals);
  const longest = whole.toStep;
  const count = cellCount(residuals.length, draws, STEP_RANGES_MAX);
  if (count === 1 || longest < count) return [whole];
  const ranges = Array.from({ length: count }, (_, i): StepRange => {
    const fromStep = Math.floor((i * longest) / count) + 1;
    const toStep = Math.floor(((i + 1) * longest) / count);
    return {
      fromStep,
      toStep,
      rows: residuals.filter(({ step }) => step >= fromStep && step <= toStep),
    };
  });
  return ranges.some((range) => range.rows.length < CELL_ROWS / 2) ? [whole] : ranges;
}

/** Returns the number of cells into which the rows can be divided, from 1 to `most`. */
function cellCount(rows: number, draws: number, most: number): number {
  const affordable = Math.floor(Math.min(rows / CELL_ROWS, draws / CELL_DRAWS_MIN));
  return Math.max(1, Math.min(most, affordable));
}

/** @param levelOf returns the share of a cell's absolute errors that lie within its half width, by its number of rows */
function fitRange(
  { fromStep, toStep, rows }: StepRange,
  levelOf: (rows: number) => number,
  { draws, noise }: { draws: number; noise: number },
): CalibrationRange {
  const ordered = rows.toSorted((a, b) => a.predicted - b.predicted);
  const count = cellCount(ordered.length, draws, SIZE_CELLS_MAX);
  const limits: number[] = [];
  const halfWidths: number[] = [];
  for (let i = 0; i < count; i++) {
    const cut = (at: number) => Math.floor((at * ordered.length) / count);
    const cell = ordered.slice(cut(i), cut(i + 1));
    const level = levelOf(cell.length);
    const quantile = weightedQuantile(
      cell.map(({ error, weight }) => ({ value: Math.abs(error), weight })),
      level,
    );
    // Too few errors have no such quantile, and a quantile of 0 does not count errors that are rare.
    const isKnown = level <= 1 && quantile > 0;
    halfWidths.push(isKnown ? quantile : Math.max(quantile, normalHalfWidth(cell, level, noise)));
    if (i < count - 1) limits.push(cell.at(-1)!.predicted + 0); // Avoids negative zero, which JSON would lose.
  }
  return { fromStep, toStep, limits, halfWidths };
}

/** Returns the half width for normal errors of unknown variance. @param level as of `levelOf`, from which follows n */
function normalHalfWidth(cell: readonly Residual[], level: number, noise: number): number {
  const weight = cell.reduce((sum, one) => sum + one.weight, 0);
  const squares = cell.reduce((sum, one) => sum + one.weight * one.error ** 2, 0);
  const errors = Math.max(1, INTERVAL_LEVEL / (level - INTERVAL_LEVEL));
  return weight > 0
    ? studentQuantile(INTERVAL_LEVEL, errors) * Math.max(noise, Math.sqrt(squares / weight))
    : 0;
}

/** Returns the half width of the interval of a prediction, `step` steps ahead. */
export function halfWidth({ ranges, growth = NO_GROWTH }: Widths, prediction: number, step: number): number {
  const range = ranges.find(({ toStep }) => step <= toStep) ?? ranges.at(-1)!;
  const { limits, halfWidths } = range;
  const cell = limits.findIndex((limit) => prediction <= limit);
  const width = halfWidths.at(cell < 0 ? -1 : cell)! * growthAt(growth, prediction, step);
  if (step <= range.toStep) return width;
  const { slopeGap = 0 } = growth;
  const wider = Math.sqrt(slopeVarianceFactor(growth, step) / slopeVarianceFactor(growth, range.toStep));
  // The gap is a bias of unknown sign, so both bounds move outwards by it. If the bias is large, values fall outside on
  // one side only. 90% intervals then cover up to 95%.
  return width * wider + slopeGap * (step - range.toStep);
}
