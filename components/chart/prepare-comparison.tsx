import type { Comparison } from "#lib/contract/scenario-series";
import { type AxisKind, pointLabel } from "./axis.tsx";
import { dashOf } from "./series-style.tsx";

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

/** Everything that the comparison charts draw, decided once per answer: a row for each point, styles, the axis. */
export function prepareComparison(comparison: Comparison): PreparedComparison {
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
    return point;
  });
  return { kind, points, series, hasBands, domain: [xs[0] ?? 0, xs.at(-1) ?? 1] };
}

/** What the chart shows, in words: for those who cannot see it. */
export function describeComparison(comparison: Comparison): string {
  const title = (id: string) => comparison.scenarios.find((scenario) => scenario.id === id)?.title ?? id;
  const others = comparison.series.filter(({ scenarioId }) => scenarioId !== comparison.baselineId);
  const changes = others.map(({ scenarioId, percentDifference }) => {
    if (percentDifference === null) return `${title(scenarioId)} cannot be compared in per cent`;
    if (percentDifference === 0) return `${title(scenarioId)} is the same in total`;
    const direction = percentDifference > 0 ? "above" : "below";
    return `${title(scenarioId)} is ${Math.abs(percentDifference).toFixed(1)} % ${direction} it in total`;
  });
  const known = comparison.series.filter(({ totalDifference }) => totalDifference !== null);
  const highest = known.reduce(
    (best, one) => (one.totalDifference! > best.totalDifference! ? one : best),
    known[0]!,
  );
  const top = known.length > 1 ? ` Highest in total is ${title(highest.scenarioId)}.` : "";
  return `${periodText(comparison)}Baseline is ${title(comparison.baselineId)}. ${changes.join("; ")}.${top}`;
}

function periodText({ timestamps, rows }: Comparison): string {
  const kind: AxisKind = timestamps ? "time" : "row";
  const xs = (timestamps ? [timestamps[0], timestamps.at(-1)] : [rows?.[0], rows?.at(-1)])
    .filter((at) => at !== undefined)
    .map((at) => (typeof at === "string" ? Date.parse(at) : at));
  if (xs.length === 0) return "There are no points in the shown span. ";
  return `From ${pointLabel(kind, xs[0]!)} to ${pointLabel(kind, xs.at(-1)!)}. `;
}
