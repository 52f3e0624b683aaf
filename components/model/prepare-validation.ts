import { axisOf, domainOf } from "#components/chart/axis.ts";
import { columnOf, differenceOf } from "#components/chart/columns.ts";
import { niceTicks } from "#components/chart/nice-ticks.ts";
import {
  baselineSeries,
  type ChartSeries,
  type PreparedComparison,
} from "#components/chart/prepare-comparison.ts";
import { dashOf } from "#components/chart/series-style.ts";
import type { SeriesCalendar } from "#components/time/period.ts";
import { formatNumber, roundedPercent } from "#components/ui/format.ts";
import { palette } from "#components/ui/palette.ts";
import { counted } from "#lib/contract/counted";
import { limits } from "#lib/contract/limits";
import type { Model } from "#lib/contract/models";

type Validation = NonNullable<Model["validation"]>;

/**
 * Prepares actuals and predictions as two series of the comparison chart. The difference of the second series is the
 * error, predicted minus actual.
 */
export function prepareValidation(validation: Validation, calendar?: SeriesCalendar): PreparedComparison {
  const { kind, xs, period } = axisOf(validation, calendar);
  const order = [...xs.keys()].sort((a, b) => xs[a]! - xs[b]!);
  const ordered = (column: Float64Array) => Float64Array.from(order, (at) => column[at]!);
  const actual = ordered(columnOf(validation.actual));
  const predicted = ordered(columnOf(validation.predicted));
  const places = ordered(xs);
  return {
    kind,
    xs: places,
    domain: domainOf(places),
    period,
    series: [
      baselineSeries({ id: "actual", title: "Actual", color: "var(--ink-faint)" }, actual, null),
      {
        id: "predicted",
        title: "Predicted",
        color: palette[0] ?? "var(--accent)",
        dash: "",
        isBaseline: false,
        values: predicted,
        differences: differenceOf(predicted, actual),
        cumulative: null,
        band: null,
      },
      ...treatedSeries(validation, ordered),
    ],
  };
}

/** Returns the values that training treated as gaps as a series of points; none without such values. */
function treatedSeries(
  { treated = [], rows, actual }: Validation,
  ordered: (column: Float64Array) => Float64Array,
): ChartSeries[] {
  if (treated.length === 0) return [];
  const isTreated = new Set(treated);
  const values = ordered(columnOf(actual.map((value, at) => (isTreated.has(rows[at]!) ? value : null))));
  return [
    {
      id: "treated",
      title: "Treated as a gap",
      color: "var(--bad)",
      dash: dashOf(2),
      isBaseline: false,
      values,
      differences: values.map(() => Number.NaN),
      cumulative: null,
      band: null,
    },
  ];
}

/** Columns of equal length. */
export type ScatterPairs = { actual: number[]; predicted: number[] };

/** Approximate number of ticks on each axis of the scatter plot. */
const axisSteps = 5;

/** Returns the complete pairs, and round ticks for both axes of the square that contains them. */
export function prepareScatter({ actual, predicted }: Validation): ScatterPairs & { ticks: number[] } {
  const pairs: ScatterPairs = { actual: [], predicted: [] };
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  actual.forEach((value, index) => {
    const guess = predicted[index];
    if (value === null || guess === null || guess === undefined) return;
    pairs.actual.push(value);
    pairs.predicted.push(guess);
    low = Math.min(low, value, guess);
    high = Math.max(high, value, guess);
  });
  return { ...pairs, ticks: pairs.actual.length > 0 ? niceTicks(low, high, axisSteps) : [0, 1] };
}

/** Describes the chart in words, for readers who cannot see it. */
export function describeValidation(validation: Validation): string {
  const { actual, predicted } = prepareScatter(validation);
  if (actual.length === 0) return "No validation rows.";
  const errors = predicted.map((value, at) => value - actual[at]!);
  const mean = errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length;
  const high = errors.filter((error) => error > 0).length;
  // The model stores at most this number of points, and not the number of rows.
  const mayBeSample = validation.actual.length === limits.validationPoints;
  const sample = mayBeSample ? ", evenly spaced if there are more" : "";
  return `${counted(errors.length, "validation row")}${sample}. Mean absolute error ${formatNumber(mean)}. The prediction is too high in ${roundedPercent((100 * high) / errors.length, 0)} % of the rows.`;
}
