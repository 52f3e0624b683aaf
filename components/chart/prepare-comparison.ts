import { formatNumber, formatPercent, roundedPercent } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";
import type { Comparison } from "#lib/contract/scenario-series";
import { type AxisKind, pointLabel } from "./axis.ts";
import { dashOf } from "./series-style.ts";

export type ChartSeries = { id: string; title: string; color: string; dash: string; isBaseline: boolean };

/** One x; `v0`, `b0`, `d0` are value, interval band and difference of the first series, and so on. */
export type ChartPoint = { x: number } & Record<`v${number}` | `d${number}` | `c${number}`, number | null> &
  Record<`b${number}`, [number, number] | null>;

export type PreparedComparison = {
  kind: AxisKind;
  points: ChartPoint[];
  series: ChartSeries[];
  hasBands: boolean;
  domain: [number, number];
};

/** Of the series of what was, which is no scenario's. */
export const actualId = "actual";

/** As dark or as light as the words: no scenario's colour. */
const actualSeries: ChartSeries = {
  id: actualId,
  title: "Actual",
  color: "var(--ink)",
  dash: "3 3",
  isBaseline: false,
};

/**
 * Everything that the comparison charts draw, decided once per answer: a row for each point, styles, the axis. What was,
 * where it is known and wanted, is the last series.
 */
export function prepareComparison(comparison: Comparison, withActual = true): PreparedComparison {
  const actual = withActual ? comparison.actual : null;
  const baselineIndex = comparison.series.findIndex(({ scenarioId }) => scenarioId === comparison.baselineId);
  const kind: AxisKind = comparison.timestamps ? "time" : "row";
  const xs = comparison.timestamps?.map((at) => Date.parse(at)) ?? comparison.rows ?? [];
  const scenarioOf = new Map(comparison.scenarios.map((scenario) => [scenario.id, scenario]));
  const series = comparison.series.map(({ scenarioId }, index): ChartSeries => {
    const scenario = scenarioOf.get(scenarioId);
    return {
      id: scenarioId,
      title: scenario?.title ?? scenarioId,
      color: scenario?.color ?? "#3498db",
      dash: dashOf(index),
      isBaseline: scenarioId === comparison.baselineId,
    };
  });
  let hasBands = false;
  const points = xs.map((x, row) => {
    const point: ChartPoint = { x };
    comparison.series.forEach(({ values, lower, upper, differences, cumulative }, index) => {
      point[`v${index}`] = values[row] ?? null;
      point[`d${index}`] = differences[row] ?? null;
      point[`c${index}`] = cumulative[row] ?? null;
      const low = lower[row] ?? null;
      const high = upper[row] ?? null;
      point[`b${index}`] = low !== null && high !== null ? [low, high] : null;
      hasBands ||= low !== null && high !== null;
    });
    if (actual) {
      const value = actual[row] ?? null;
      const baseline = point[`v${baselineIndex}`] ?? null;
      point[`v${series.length}`] = value;
      point[`d${series.length}`] = value === null || baseline === null ? null : value - baseline;
    }
    return point;
  });
  if (actual) series.push(actualSeries);
  return { kind, points, series, hasBands, domain: [xs[0] ?? 0, xs.at(-1) ?? 1] };
}

/** Of more scenarios than these only the extremes are named: the table tells of each. */
const NAMED_MAX = 3;

/** What the chart shows, in words: for those who cannot see it. */
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
  const extremes =
    highest === undefined || lowest === undefined || highest === lowest
      ? ""
      : others.length > NAMED_MAX
        ? ` Highest in total is ${named(highest)}, lowest ${named(lowest)}.`
        : ` Highest in total is ${title(highest.scenarioId)}.`;
  const text = `${periodText(comparison)}Baseline is ${title(baselineId)}. ${changes}.${extremes}`;
  return comparison.actual ? `${text} ${actualText(comparison)}` : text;
}

type ComparedSeries = Comparison["series"][number];

function changeText({ percentDifference, totalDifference }: ComparedSeries): string {
  if (totalDifference === null) return "has no rows in common with it";
  if (percentDifference === null) return "cannot be compared in per cent";
  if (percentDifference === 0) return "is the same in total";
  const size = Math.abs(percentDifference);
  return `is ${roundedPercent(size, 1)} % ${percentDifference > 0 ? "above" : "below"} it in total`;
}

const percentText = ({ percentDifference }: ComparedSeries) =>
  percentDifference === null ? "" : ` (${formatPercent(percentDifference)})`;

/** "Of the 19 others, 12 are above it in total, 6 are below it, 1 has no rows in common with it". */
function countsText(others: readonly ComparedSeries[]): string {
  const count = (counts: (total: number | null) => boolean) =>
    others.filter(({ totalDifference }) => counts(totalDifference)).length;
  const parts = [
    [count((total) => total !== null && total > 0), "is above it in total", "are above it in total"],
    [count((total) => total !== null && total < 0), "is below it", "are below it"],
    [count((total) => total === 0), "is the same", "are the same"],
    [count((total) => total === null), "has no rows in common with it", "have no rows in common with it"],
  ] as const;
  const told = parts.flatMap(([number, one, many]) => (number > 0 ? [counted(number, one, many)] : []));
  return `Of the ${others.length} others, ${told.join(", ")}`;
}

/** How far the predictions are from what was, by the points that are drawn. */
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
  return `Actual values are known at ${formatNumber(known)} of the ${counted(actual?.length ?? 0, "point")} drawn${side}.`;
}

function periodText({ timestamps, rows }: Comparison): string {
  const kind: AxisKind = timestamps ? "time" : "row";
  const xs = (timestamps ? [timestamps[0], timestamps.at(-1)] : [rows?.[0], rows?.at(-1)])
    .filter((at) => at !== undefined)
    .map((at) => (typeof at === "string" ? Date.parse(at) : at));
  if (xs.length === 0) return "There are no points in the shown span. ";
  return `From ${pointLabel(kind, xs[0]!)} to ${pointLabel(kind, xs.at(-1)!)}. `;
}
