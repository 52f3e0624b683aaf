import { formatNumber } from "#components/ui/format.ts";
import type { ReliabilityBin, ThresholdCounts } from "#lib/contract/classification";
import { counted } from "#lib/contract/counted";

/** Describes the reliability in words, also for readers who cannot see the plot. */
export function calibrationText(bins: readonly ReliabilityBin[], positive: string): string {
  const rows = bins.reduce((sum, bin) => sum + bin.rows, 0);
  if (rows === 0) return "No validation rows.";
  const error = bins.reduce(
    (sum, bin) => sum + (bin.rows / rows) * Math.abs(bin.predicted - bin.observed),
    0,
  );
  return `${counted(rows, "validation row")}. Probabilities of ${positive} differ from observed shares by ${formatNumber(error)} on average.`;
}

/** Returns the shares of right decisions at a threshold; null without rows to divide by. */
export function sharesAt(
  counts: ThresholdCounts,
  positive: string,
): { name: string; share: number | null }[] {
  const { truePositives, falsePositives, trueNegatives, falseNegatives } = counts;
  const part = (of: number, all: number) => (all > 0 ? of / all : null);
  const all = truePositives + falsePositives + trueNegatives + falseNegatives;
  return [
    { name: "Accuracy", share: part(truePositives + trueNegatives, all) },
    { name: `Right among predicted ${positive}`, share: part(truePositives, truePositives + falsePositives) },
    { name: `Found among actual ${positive}`, share: part(truePositives, truePositives + falseNegatives) },
  ];
}
