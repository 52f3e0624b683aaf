import type { SeriesCalendar } from "#components/time/period.ts";
import type { PredictionChart } from "#lib/contract/scenario-series";
import { axisOf } from "./axis.ts";
import { bandOf, columnOf } from "./columns.ts";
import { actualSeries, baselineSeries, type PreparedComparison } from "./prepare-comparison.ts";

/** Prepares predictions for the comparison chart: a series with its bands, and the actuals if they are known. */
export function prepareSeries(
  chart: Omit<PredictionChart, "rowCount">,
  scenario: { id: string; title: string; color: string },
  calendar?: SeriesCalendar,
): PreparedComparison {
  return {
    ...axisOf(chart, calendar),
    series: [
      baselineSeries(scenario, columnOf(chart.values), bandOf(chart)),
      ...(chart.actual ? [actualSeries(columnOf(chart.actual), null)] : []),
    ],
  };
}
