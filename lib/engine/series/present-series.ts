import type { ComparedSeries } from "./compare-scenarios.ts";
import { wireNumbers } from "./summary.ts";

/** Converts the values of a compared series for the API. */
export const presentSeries = (series: ComparedSeries) => ({
  ...series,
  values: wireNumbers(series.values),
  differences: wireNumbers(series.differences),
  cumulative: wireNumbers(series.cumulative),
});
