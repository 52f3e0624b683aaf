import { BIN_STRIDE, MISSING_BIN } from "./bins.ts";
import { shrink } from "./losses.ts";
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

export type SplitRules = {
  minLeaf: number;
  /** In quantised units. */
  l1: number;
  l2: number;
  unit: number;
  /**
   * Direction per feature: 1 where values must not decrease from left to right, -1 where they must not increase, 0
   * for none.
   */
  monotone: Int8Array | null;
};

/** Node to split. Its value, in quantised units, must lie within the bounds. */
export type SplitNode = { count: number; sum: number; lower: number; upper: number };

/** Gains below this fraction of the node's own score are rounding noise. */
const NOISE = 1e-12;

/**
 * Returns the split that lowers the node's squared error most, or null if no split lowers it. The score of a set of
 * rows is sum² / (count + l2). The gain of a split is the children's scores minus the parent's score (Friedman 2001;
 * Chen and Guestrin 2016, eq. 7). If the feature has missing values in the node, both directions for them are tried.
 * Among equal gains the first feature and the lowest bin win, which keeps training deterministic.
 */
export function findBestSplit(
  histogram: Float64Array,
  features: Int32Array,
  cutCounts: Int32Array,
  node: SplitNode,
  rules: SplitRules,
): Split | null {
  const { minLeaf, l1, l2, unit, monotone } = rules;
  const { count, sum } = node;
  const perUnit = 1 / unit; // exact: unit is a power of two
  if (count < 2 * minLeaf) return null;
  const free = l1 === 0 && monotone === null;
  const parentScore = free
    ? (sum * sum) / (count + l2)
    : scoreAt(boundedMean(sum, count, node, rules), sum, count, rules);
  let bestGain = Math.max(0, parentScore) * NOISE;
  let best: Split | null = null;
  for (const feature of features) {
    const offset = feature * BIN_STRIDE;
    const cutCount = cutCounts[feature]!;
    const missing = histogram[offset + MISSING_BIN]!;
    const directions = missing === 0 ? 1 : 2;
    const order = monotone === null ? 0 : monotone[feature]!;
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
        const score = free
          ? (leftSum * leftSum) / (leftCount + l2) + (rightSum * rightSum) / (rightCount + l2)
          : boundedScore(leftSum, leftCount, rightSum, rightCount, order, node, rules);
        const gain = score - parentScore;
        if (gain > bestGain) {
          bestGain = gain;
          best = { feature, bin, missingLeft, leftCount, leftSum, gain };
        }
      }
    }
  }
  if (best && histogram[best.feature * BIN_STRIDE + MISSING_BIN] === 0) {
    // The node has no missing values in training: later ones go with the majority.
    best.missingLeft = best.leftCount * 2 >= count;
  }
  return best;
}

/** Returns the value of rows with this sum of residuals: the shrunk mean, clamped to the node's bounds. */
function boundedMean(
  sum: number,
  count: number,
  { lower, upper }: { lower: number; upper: number },
  { l1, l2 }: { l1: number; l2: number },
): number {
  const value = shrink(sum, l1) / (count + l2);
  return value < lower ? lower : value > upper ? upper : value;
}

/** Returns the decrease of the penalised squared error when the rows take the value. */
function scoreAt(value: number, sum: number, count: number, { l1, l2 }: SplitRules): number {
  return value * (2 * sum - (count + l2) * value) - 2 * l1 * Math.abs(value);
}

function boundedScore(
  leftSum: number,
  leftCount: number,
  rightSum: number,
  rightCount: number,
  order: number,
  node: SplitNode,
  rules: SplitRules,
): number {
  const left = boundedMean(leftSum, leftCount, node, rules);
  const right = boundedMean(rightSum, rightCount, node, rules);
  if (order * (right - left) < 0) return Number.NEGATIVE_INFINITY;
  return scoreAt(left, leftSum, leftCount, rules) + scoreAt(right, rightSum, rightCount, rules);
}
