import type { SeriesCalendar } from "#components/time/period.ts";
import type { PredictionChart } from "#lib/contract/scenario-series";
import { axisOf } from "./axis.ts";
import { bandOf, columnOf } from "./columns.ts";
import {
  actualSeries,
  baselineSeries,
  type ChartSeries,
  type PreparedComparison,
  plainSeries,
} from "./prepare-comparison.ts";

/** Series ID of the calculated predictions; no scenario uses this ID. */
const calculatedId = "calculated";

/**
 * Prepares predictions for the comparison chart: a series with its bands, the calculated predictions where overrides change them, and
 * the actuals if they are known.
 */
export function prepareSeries(
  chart: Omit<PredictionChart, "rowCount">,
  scenario: { id: string; title: string; color: string },
  calendar?: SeriesCalendar,
): PreparedComparison {
  return {
    ...axisOf(chart, calendar),
    series: [
      baselineSeries(scenario, columnOf(chart.values), bandOf(chart)),
      ...(chart.calculated ? [calculatedSeries(columnOf(chart.calculated), columnOf(chart.values))] : []),
      ...(chart.actual ? [actualSeries(columnOf(chart.actual), null)] : []),
    ],
  };
}

/** Returns the calculated predictions, only near points where they differ from the effective ones, so that the lines meet. */
function calculatedSeries(calculated: Float64Array, effective: Float64Array): ChartSeries {
  const differs = (at: number) => calculated[at] !== undefined && !Object.is(calculated[at], effective[at]);
  const isShown = (at: number) => differs(at - 1) || differs(at) || differs(at + 1);
  return {
    ...plainSeries,
    id: calculatedId,
    title: "Calculated",
    color: "var(--ink-faint)",
    dash: "2 4",
    values: calculated.map((value, at) => (isShown(at) ? value : Number.NaN)),
  };
}
