import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { formatNumber, roundedPercent } from "#components/ui/format.ts";
import type { ForecastErrors, ScenarioActuals } from "#lib/contract/actuals";

type Points = Pick<ScenarioActuals, "timestamps" | "actual" | "predicted" | "lower" | "upper">;

/** Predictions with their band as `v0`, what came true as `v1`, as the comparison chart draws them. */
export function prepareActuals(
  { timestamps, actual, predicted, lower, upper }: Points,
  shown: { id: string; title: string; color: string },
): PreparedComparison {
  let hasBands = false;
  const points = timestamps.map((at, index) => {
    const low = lower[index] ?? null;
    const high = upper[index] ?? null;
    const band: [number, number] | null = low === null || high === null ? null : [low, high];
    hasBands ||= band !== null;
    return { x: Date.parse(at), v0: predicted[index] ?? null, b0: band, v1: actual[index] ?? null, b1: null };
  });
  return {
    kind: "time",
    points,
    hasBands,
    domain: [points[0]?.x ?? 0, points.at(-1)?.x ?? 1],
    series: [
      { ...shown, dash: "", isBaseline: true },
      { id: "actual", title: "Actual", color: "var(--ink)", dash: "3 3", isBaseline: false },
    ],
  };
}

const percent = (part: number) => `${roundedPercent(100 * part, 1)}\u00a0%`;

/** The figures in words, for those who see no chart and those who want one sentence. */
export function describeErrors(errors: ForecastErrors, target: string, baselineName: string | null): string {
  const { rows, mae, bias, coverage, baseline } = errors;
  const parts = [
    `${formatNumber(rows)} actual values: off by ${formatNumber(mae)} on average, in units of ${target}`,
  ];
  if (bias !== null)
    parts.push(`${formatNumber(Math.abs(bias))} too ${bias >= 0 ? "high" : "low"} on balance`);
  if (coverage !== null) parts.push(`${percent(coverage)} inside the 90 % interval`);
  const sentence = `${parts.join(", ")}.`;
  if (baseline.mae === null || mae === null) return sentence;
  const name = baselineName ?? "naive forecast";
  const verdict = mae <= baseline.mae ? "better" : "worse";
  return `${sentence} That is ${verdict} than the naive forecast (${name}), which is off by ${formatNumber(baseline.mae)}.`;
}
