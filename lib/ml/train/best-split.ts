import { BIN_STRIDE, MISSING_BIN } from "./bins.ts";
import { countOf } from "./packed-residuals.ts";

export type Split = {
  feature: number;
  /** Rows with a bin up to this one go left. */
  bin: number;
  missingLeft: boolean;
  leftCount: number;
  /** Sum of the left rows' quantised residuals. */
  leftSum: number;
  /** Fall of the squared error, in squared quantised units. */
  gain: number;
};

export type SplitRules = { minLeaf: number; l2: number; unit: number };

/** A gain below this part of the node's own score is rounding noise. */
const NOISE = 1e-12;

/**
 * The split of a node that lowers the squared error most, or null where none does: the score of a set of rows is
 * sum² / (count + l2), a split's gain the children's scores less the parent's (Friedman 2001; Chen and Guestrin
 * 2016, eq. 7). Where the feature has missing values in the node, both directions for them are tried.
 * Of equal gains the first feature and the lowest bin win, which keeps training deterministic.
 */
export function findBestSplit(
  histogram: Float64Array,
  features: Int32Array,
  cutCounts: Int32Array,
  count: number,
  sum: number,
  rules: SplitRules,
): Split | null {
  const { minLeaf, l2, unit } = rules;
  const perUnit = 1 / unit; // exact: unit is a power of two
  if (count < 2 * minLeaf) return null;
  const parentScore = (sum * sum) / (count + l2);
  let bestGain = parentScore * NOISE;
  let best: Split | null = null;
  for (const feature of features) {
    const offset = feature * BIN_STRIDE;
    const cutCount = cutCounts[feature]!;
    const missing = histogram[offset + MISSING_BIN]!;
    const directions = missing === 0 ? 1 : 2;
    for (let direction = 0; direction < directions; direction++) {
      const missingLeft = direction === 1;
      let left = missingLeft ? missing : 0;
      for (let bin = 0; bin < cutCount; bin++) {
        const cell = histogram[offset + bin]!;
        if (cell === 0) continue;
        left += cell;
        const leftCount = countOf(left, perUnit);
        if (leftCount < minLeaf) continue;
        const rightCount = count - leftCount;
        if (rightCount < minLeaf) break;
        const leftSum = left - leftCount * unit;
        const rightSum = sum - leftSum;
        const gain =
          (leftSum * leftSum) / (leftCount + l2) + (rightSum * rightSum) / (rightCount + l2) - parentScore;
        if (gain > bestGain) {
          bestGain = gain;
          best = { feature, bin, missingLeft, leftCount, leftSum, gain };
        }
      }
    }
  }
  if (best && histogram[best.feature * BIN_STRIDE + MISSING_BIN] === 0) {
    // None missing here in training: later ones go with the majority.
    best.missingLeft = best.leftCount * 2 >= count;
  }
  return best;
}
