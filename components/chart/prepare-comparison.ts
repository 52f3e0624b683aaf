import type { SeriesCalendar } from "#components/time/period.ts";
import type { Comparison } from "#lib/contract/scenario-series";
import { axisOf, type ChartAxis } from "./axis.ts";
import { type Band, bandOf, columnOf, differenceOf } from "./columns.ts";
import { dashOf } from "./series-style.ts";

/** Series of a chart. Each column has one number per point of the axis; NaN marks a missing value. */
export type ChartSeries = {
  id: string;
  title: string;
  color: string;
  dash: string;
  isBaseline: boolean;
  values: Float64Array;
  /** Differences from the baseline; null in a chart without differences. */
  differences: Float64Array | null;
  /** Sum of the differences up to each point. */
  cumulative: Float64Array | null;
  band: Band | null;
};

export type PreparedComparison = ChartAxis & {
  series: ChartSeries[];
  /** Place of the last known value before the predictions, if the chart shows values before them. */
  origin?: number;
};

/** Series ID of the actuals; no scenario uses this ID. */
export const actualId = "actual";

/** Solid line of values that are compared with no others. */
export const plainSeries = { dash: "", isBaseline: false, differences: null, cumulative: null, band: null };

/** Returns the series of the actuals in the text colour, which no scenario uses. */
export const actualSeries = (values: Float64Array, differences: Float64Array | null): ChartSeries => ({
  ...plainSeries,
  id: actualId,
  title: "Actual",
  color: "var(--ink)",
  dash: "3 3",
  values,
  differences,
});

/** Returns the series of a scenario that is shown alone, or as baseline. */
export const baselineSeries = (
  { id, title, color }: Pick<ChartSeries, "id" | "title" | "color">,
  values: Float64Array,
  band: Band | null,
): ChartSeries => ({ ...plainSeries, id, title, color, isBaseline: true, values, band });

type Line = Comparison["series"][number];
/** A comparison, or one group of it. */
type ComparedLines = Pick<
  Comparison,
  "baselineId" | "scenarios" | "timestamps" | "rows" | "buckets" | "actual"
> & {
  series: readonly Pick<
    Line,
    "scenarioId" | "values" | "lower" | "upper" | "levels" | "differences" | "cumulative"
  >[];
};

/**
 * Prepares the data of the comparison charts once per response: the axis, and the style and columns of each series. The
 * actuals are the last series if they are known and shown.
 */
export function prepareComparison(
  comparison: ComparedLines,
  withActual = true,
  calendar?: SeriesCalendar,
): PreparedComparison {
  const scenarioOf = new Map(comparison.scenarios.map((scenario) => [scenario.id, scenario]));
  const series = comparison.series.map(({ scenarioId, ...columns }, index): ChartSeries => {
    const scenario = scenarioOf.get(scenarioId);
    return {
      id: scenarioId,
      title: scenario?.title ?? scenarioId,
      color: scenario?.color ?? "#3498db",
      dash: dashOf(index),
      isBaseline: scenarioId === comparison.baselineId,
      values: columnOf(columns.values),
      differences: columnOf(columns.differences),
      cumulative: columnOf(columns.cumulative),
      band: bandOf(columns),
    };
  });
  if (withActual && comparison.actual) {
    const actual = columnOf(comparison.actual);
    const baseline = series.find(({ isBaseline }) => isBaseline);
    series.push(actualSeries(actual, baseline ? differenceOf(actual, baseline.values) : null));
  }
  return { ...axisOf(comparison, calendar), series };
}
