import type { Shown } from "#components/display/shown.ts";
import type { Comparison } from "#lib/contract/scenario-series";

type Total = Pick<
  Comparison["series"][number],
  "totalDifference" | "totalDifferenceInterval" | "differsAtLevel"
>;

/**
 * Describes how certain a total difference is: "± 900 (90 %): very likely lower". Likely means that the 80% interval
 * excludes 0, very likely the 95% interval. Returns null if the interval is not known.
 */
export function differenceText(total: Total, format: Shown["format"]): string | null {
  const { totalDifference, totalDifferenceInterval: interval, differsAtLevel } = total;
  if (totalDifference === null || !interval || interval.upper === null) return null;
  const size = `± ${format(interval.upper - totalDifference)} (${Math.round(100 * interval.level)} %)`;
  return `${size}: ${likelihoodText(totalDifference, differsAtLevel ?? 0)}`;
}

function likelihoodText(difference: number, level: number): string {
  if (level < 0.8) return "within noise";
  return `${level >= 0.95 ? "very likely" : "likely"} ${difference < 0 ? "lower" : "higher"}`;
}
