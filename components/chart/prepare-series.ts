import type { PredictionChart } from "#lib/contract/scenario-series";
import type { PreparedComparison } from "./prepare-comparison.ts";

/** One scenario's predictions as the comparison chart draws them: a single series with its band. */
export function prepareSeries(
  chart: PredictionChart,
  scenario: { id: string; title: string; color: string },
): PreparedComparison {
  const kind = chart.timestamps ? "time" : "row";
  const xs = chart.timestamps?.map((at) => Date.parse(at)) ?? chart.rows ?? [];
  let hasBands = false;
  const points = xs.map((x, row) => {
    const low = chart.lower[row] ?? null;
    const high = chart.upper[row] ?? null;
    hasBands ||= low !== null && high !== null;
    return {
      x,
      v0: chart.values[row] ?? null,
      b0: low !== null && high !== null ? ([low, high] as [number, number]) : null,
    };
  });
  return {
    kind,
    points,
    hasBands,
    domain: [xs[0] ?? 0, xs.at(-1) ?? 1],
    series: [{ ...scenario, dash: "", isBaseline: true }],
  };
}
