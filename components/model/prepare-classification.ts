import { roundedPercent } from "#components/ui/format.ts";
import type { ThresholdCounts } from "#lib/contract/classification";
import { counted } from "#lib/contract/counted";

/** Describes the reliability in words, also for readers who cannot see the plot. */
export function calibrationText(rows: number, error: number | null | undefined, positive: string): string {
  const measured = counted(rows, "validation row");
  if (typeof error !== "number") return `${measured}.`;
  const points = roundedPercent(100 * error, 1);
  return `${measured}. Probabilities of ${positive} differ from observed shares by ${points} percentage points on average.`;
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
