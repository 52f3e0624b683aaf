import type { Comparison } from "#lib/contract/scenario-series";
import type { AxisKind } from "./axis.tsx";
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

/** Everything that the comparison charts draw, decided once per answer: rows for recharts, styles, the axis. */
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
  const cumulative = comparison.series.map(() => 0);
  const points = xs.map((x, row) => {
    const point: ChartPoint = { x };
    comparison.series.forEach(({ values, lower, upper, differences }, index) => {
      point[`v${index}`] = values[row] ?? null;
      const difference = differences[row] ?? null;
      point[`d${index}`] = difference;
      if (difference !== null) cumulative[index]! += difference;
      point[`c${index}`] = cumulative[index]!;
      const low = lower[row] ?? null;
      const high = upper[row] ?? null;
      point[`b${index}`] = low !== null && high !== null ? [low, high] : null;
      hasBands ||= low !== null && high !== null;
    });
    return point;
  });
  return { kind, points, series, hasBands, domain: [xs[0] ?? 0, xs.at(-1) ?? 1] };
}

/** Lowest and highest number drawn of one measure (`v`, `d` or `c`), bands included where they are shown. */
export function extent(
  points: readonly ChartPoint[],
  seriesCount: number,
  measure: "v" | "d" | "c",
  bands: boolean,
): [number, number] {
  let low = measure === "v" ? Number.POSITIVE_INFINITY : 0;
  let high = measure === "v" ? Number.NEGATIVE_INFINITY : 0;
  for (const point of points) {
    for (let index = 0; index < seriesCount; index++) {
      const value = point[`${measure}${index}`] ?? null;
      const band = bands ? point[`b${index}`] : null;
      for (const drawn of band ? [value, ...band] : [value]) {
        if (drawn === null) continue;
        if (drawn < low) low = drawn;
        if (drawn > high) high = drawn;
      }
    }
  }
  return low <= high ? [low, high] : [0, 1];
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
  return `Baseline is ${title(comparison.baselineId)}. ${changes.join("; ")}.`;
}
