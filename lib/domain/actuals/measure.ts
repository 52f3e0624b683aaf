import type { ClassFigures, ForecastErrors } from "#lib/contract/actuals";
import { classMetrics } from "#lib/engine/learners/class-metrics";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import { downsampleShared } from "#lib/engine/series/downsample";
import { wireNumber, wireNumbers } from "#lib/engine/series/summary";

/** Predictions and actuals, one value per row; NaN means no value. `times` are ascending epoch milliseconds. */
export type Judged = {
  times: Float64Array;
  actual: Float64Array;
  predicted: Float64Array;
  /** null for a model without intervals. */
  lower: Float64Array | null;
  upper: Float64Array | null;
  /** The naive forecast. */
  baseline: Float64Array;
  /** Whether actuals are classes, 0 and 1, and predictions are probabilities. */
  areClasses: boolean;
};

/** Selects the given rows (from 0). */
export function takeJudged(
  { times, actual, predicted, lower, upper, baseline, areClasses }: Judged,
  rows: Int32Array,
): Judged {
  const take = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!);
  return {
    times: take(times),
    actual: take(actual),
    predicted: take(predicted),
    lower: lower && take(lower),
    upper: upper && take(upper),
    baseline: take(baseline),
    areClasses,
  };
}

/** Measures errors over the rows from `from` up to, not including, `to`. Returns null if these rows have no actuals. */
export function measure(judged: Judged, from = 0, to = judged.times.length): ForecastErrors | null {
  const part = (values: Float64Array) => values.subarray(from, to);
  const actual = part(judged.actual);
  const { rmse, mae, bias } = regressionMetrics(actual, part(judged.predicted));
  if (rmse === null) return null;
  const naive = regressionMetrics(actual, part(judged.baseline));
  let rows = 0;
  let bounded = 0;
  let inside = 0;
  for (let row = from; row < to; row++) {
    const value = judged.actual[row]!;
    if (Number.isNaN(value - judged.predicted[row]!)) continue;
    rows++;
    const [lower, upper] = [judged.lower?.[row] ?? Number.NaN, judged.upper?.[row] ?? Number.NaN];
    // An overridden value that is set has no interval.
    if (Number.isNaN(lower) || Number.isNaN(upper)) continue;
    bounded++;
    if (value >= lower && value <= upper) inside++;
  }
  return {
    rows,
    rmse,
    mae,
    bias,
    coverage: bounded > 0 ? inside / bounded : null,
    ...classFigures(judged, actual, part(judged.predicted)),
    baseline: { rmse: naive.rmse, mae: naive.mae, ...classFigures(judged, actual, part(judged.baseline)) },
  };
}

function classFigures(
  { areClasses }: Judged,
  actual: Float64Array,
  predicted: Float64Array,
): Partial<ClassFigures> {
  if (!areClasses) return {};
  const { logLoss, brier, auc, accuracy } = classMetrics(actual, predicted);
  return { logLoss, brier, auc, accuracy };
}

/** Returns at most `maxPoints` chart points. Downsampling keeps the extremes of the actuals and of the predictions. */
export function chartPoints({ times, actual, predicted, lower, upper, baseline }: Judged, maxPoints: number) {
  const rows = downsampleShared([predicted, actual], maxPoints);
  const none = () => Array.from(rows, () => null);
  return {
    timestamps: Array.from(rows, (row) => new Date(times[row]!).toISOString()),
    actual: wireNumbers(actual, rows),
    predicted: wireNumbers(predicted, rows),
    lower: lower ? wireNumbers(lower, rows) : none(),
    upper: upper ? wireNumbers(upper, rows) : none(),
    baseline: wireNumbers(baseline, rows),
  };
}

export const noChartPoints = () => ({
  timestamps: [],
  actual: [],
  predicted: [],
  lower: [],
  upper: [],
  baseline: [],
});

/** Returns one of the stored training metrics; null if it was not measured. */
export const metricOf = (metrics: Record<string, number | null> | null | undefined, name: string) =>
  wireNumber(metrics?.[name] ?? Number.NaN);
