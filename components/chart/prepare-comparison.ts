import { formatNumber, formatPercent, roundedPercent } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";
import type { Comparison } from "#lib/contract/scenario-series";
import { axisOf, type ChartAxis, pointLabel } from "./axis.ts";
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

export type PreparedComparison = ChartAxis & { series: ChartSeries[] };

/** Series ID of the actuals; no scenario uses this ID. */
export const actualId = "actual";

/** Solid line of values that are compared with no others. */
const plainSeries = { dash: "", isBaseline: false, differences: null, cumulative: null, band: null };

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

/**
 * Prepares the data of the comparison charts once per response: the axis, and the style and columns of each series. The
 * actuals are the last series if they are known and shown.
 */
export function prepareComparison(comparison: Comparison, withActual = true): PreparedComparison {
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
  return { ...axisOf(comparison), series };
}

/**
 * Maximum number of scenarios described one by one. Above it, the text names only the extremes; the table lists all
 * scenarios.
 */
const NAMED_MAX = 3;

/** Describes the chart in words, for readers who cannot see it. */
export function describeComparison(comparison: Comparison): string {
  const { series, baselineId } = comparison;
  const title = (id: string) => comparison.scenarios.find((scenario) => scenario.id === id)?.title ?? id;
  const others = series.filter(({ scenarioId }) => scenarioId !== baselineId);
  const changes =
    others.length > NAMED_MAX
      ? countsText(others)
      : others.map((one) => `${title(one.scenarioId)} ${changeText(one)}`).join("; ");
  const known = series.filter(({ totalDifference }) => totalDifference !== null);
  const byTotal = known.sort((a, b) => b.totalDifference! - a.totalDifference!);
  const named = (one: ComparedSeries) =>
    one.scenarioId === baselineId ? "the baseline" : `${title(one.scenarioId)}${percentText(one)}`;
  const [highest, lowest] = [byTotal[0], byTotal.at(-1)];
  const best =
    known.length < series.length
      ? "Of those with common rows, the highest in total is"
      : "Highest in total is";
  const extremes =
    highest === undefined || lowest === undefined || highest.totalDifference === lowest.totalDifference
      ? ""
      : others.length > NAMED_MAX
        ? ` ${best} ${named(highest)}, lowest ${named(lowest)}.`
        : ` ${best} ${title(highest.scenarioId)}.`;
  const text = `${periodText(comparison)}Baseline is ${title(baselineId)}. ${changes}.${extremes}`;
  return comparison.actual ? `${text} ${actualText(comparison)}` : text;
}

type ComparedSeries = Comparison["series"][number];

function changeText({ percentDifference, totalDifference }: ComparedSeries): string {
  if (totalDifference === null) return "has no rows in common with it";
  if (percentDifference === null) return "has no difference in per cent";
  if (percentDifference === 0) return "is the same in total";
  const size = Math.abs(percentDifference);
  return `is ${roundedPercent(size, 1)} % ${percentDifference > 0 ? "above" : "below"} it in total`;
}

const percentText = ({ percentDifference }: ComparedSeries) =>
  percentDifference === null ? "" : ` (${formatPercent(percentDifference)})`;

/**
 * Counts scenarios by direction: "Of the 19 others, 12 are above it in total, 6 are below it, 1 has no rows in common
 * with it".
 */
function countsText(others: readonly ComparedSeries[]): string {
  const count = (counts: (total: number | null) => boolean) =>
    others.filter(({ totalDifference }) => counts(totalDifference)).length;
  const parts = [
    [count((total) => total !== null && total > 0), "is above it in total", "are above it in total"],
    [count((total) => total !== null && total < 0), "is below it", "are below it"],
    [count((total) => total === 0), "is the same", "are the same"],
    [count((total) => total === null), "has no rows in common with it", "have no rows in common with it"],
  ] as const;
  const counts = parts.flatMap(([number, one, many]) => (number > 0 ? [counted(number, one, many)] : []));
  return `Of the ${others.length} others, ${counts.join(", ")}`;
}

/** Describes how far the predictions are from the actuals, at the drawn points. */
function actualText({ actual, series, baselineId }: Comparison): string {
  const known = actual?.filter((value) => value !== null).length ?? 0;
  const { values } = series.find(({ scenarioId }) => scenarioId === baselineId)!;
  const gaps = (actual ?? []).flatMap((value, at) => {
    const predicted = values[at] ?? null;
    return value === null || predicted === null ? [] : [value - predicted];
  });
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const side =
    gaps.length === 0
      ? ""
      : `; there they are ${formatNumber(Math.abs(mean))} ${mean < 0 ? "below" : "above"} the baseline on average`;
  return `Actuals are known at ${formatNumber(known)} of the ${counted(actual?.length ?? 0, "point")} drawn${side}.`;
}

function periodText(comparison: Comparison): string {
  const axis = axisOf(comparison);
  if (axis.xs.length === 0) return "There are no points in the shown span. ";
  return `From ${pointLabel(axis, axis.xs[0]!)} to ${pointLabel(axis, axis.xs.at(-1)!)}. `;
}
