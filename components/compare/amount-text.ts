import { formatNumber, formatSigned } from "#components/ui/format.ts";
import type { Comparison } from "#lib/contract/scenario-series";

type Amount = NonNullable<Comparison["differs"]["inputs"][number]["amounts"]>[number];

/** Describes by how much an input differs from the baseline: "+5", or "−1 to +4, mean +2.5". */
export function amountText({ min, max, mean }: Pick<Amount, "min" | "max" | "mean">): string {
  // Differences of decimal numbers have rounding errors.
  if (formatNumber(min) === formatNumber(max)) return formatSigned(mean);
  return `${formatSigned(min)} to ${formatSigned(max)}, mean ${formatSigned(mean)}`;
}
