import type { PredictionChart } from "#lib/contract/scenario-series";
import { axisOf } from "./axis.ts";
import { bandOf, columnOf } from "./columns.ts";
import type { PreparedComparison } from "./prepare-comparison.ts";

/** Prepares one scenario's predictions for the comparison chart, as a single series with its bands. */
export function prepareSeries(
  chart: PredictionChart,
  { id, title, color }: { id: string; title: string; color: string },
): PreparedComparison {
  return {
    ...axisOf(chart),
    series: [
      {
        ...{ id, title, color, dash: "", isBaseline: true },
        ...{ values: columnOf(chart.values), differences: null, cumulative: null },
        band: bandOf(chart),
      },
    ],
  };
}
