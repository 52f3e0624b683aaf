import { findBestSplit, type Split, type SplitNode, type SplitRules } from "./best-split.ts";
import { BIN_STRIDE } from "./bins.ts";
import type { BoostingParams } from "./boosting-params.ts";
import { histogramPool, subtractHistogram } from "./histogram.ts";
import type { Loss } from "./losses.ts";
import { boundLeaves } from "./monotone.ts";
import { packingFor } from "./packed-residuals.ts";
import type { NodeMemory, TrainingMemory } from "./shared-memory.ts";
import type { TrainingPool } from "./training-pool.ts";
import type { Tree } from "./tree.ts";

type GrowthRules = Pick<BoostingParams, "maxLeaves" | "learningRate" | "minLeaf" | "l1" | "l2" | "monotone">;

/** A current leaf of the growing tree. Sums and bounds are in quantised units. */
type OpenLeaf = SplitNode & {
  node: number;
  /** Null if the leaf has too few rows to split, or the tree has reached its maximum number of leaves. */
  histogram: Float64Array | null;
  split: Split | null;
};

/**
 * Creates a function that grows trees leaf by leaf and always splits where the error decreases most (Shi 2007;
 * LightGBM). For two children it counts only the smaller one's histogram and subtracts that from the parent's for the
 * other. Buffers are reused between trees.
 */
export function treeGrower(
  memory: TrainingMemory,
  trainingPool: TrainingPool,
  loss: Loss,
  rules: GrowthRules,
) {
  const { rowCount, featureCount, cuts, cutCounts, nodes, target, scores } = memory;
  const { maxLeaves, minLeaf, learningRate, l1, l2 } = rules;
  const pool = histogramPool(featureCount);
  const monotone = rules.monotone === null ? null : Int8Array.from(rules.monotone);

  /**
   * Grows a tree on the sampled rows and `features`, or returns null if no split helps. Updates the scores of all
   * rows.
   */
  return function grow(features: Int32Array): Tree | null {
    memory.features.set(features);
    trainingPool.perform({ name: "residuals" }, 2 * rowCount);
    const total = memory.stripeTotals.reduce((sum, part) => sum + part, 0);
    const { unit, scale } = packingFor(total, rowCount);
    const splitRules: SplitRules = { minLeaf, l1: l1 * scale, l2, unit, monotone };
    let nodeCount = 0;

    const openLeaf = (parent: SplitNode, count: number, sum: number): OpenLeaf => {
      const node = nodeCount++;
      nodes.feature[node] = -1;
      nodes.cover[node] = count;
      const { lower, upper } = parent;
      return { node, count, sum, lower, upper, histogram: null, split: null };
    };
    const findSplit = (leaf: OpenLeaf, histogram: Float64Array) => {
      leaf.histogram = histogram;
      leaf.split = findBestSplit(histogram, features, cutCounts, leaf, splitRules);
    };

    const rootHistogram = pool.take();
    const rootStep = { name: "root", unit, scale, featureCount: features.length } as const;
    trainingPool.perform(rootStep, rowCount * (features.length + 2), rootHistogram);
    const [count, sum] = totalOf(rootHistogram, features[0]!, unit);
    const root = openLeaf({ count, sum, lower: -Infinity, upper: Infinity }, count, sum);
    findSplit(root, rootHistogram);
    const leaves = [root];
    while (leaves.length < maxLeaves) {
      const at = indexOfLargestGain(leaves);
      const leaf = leaves[at];
      if (!leaf?.split || !leaf.histogram) break;
      const { split, histogram } = leaf;
      const left = openLeaf(leaf, split.leftCount, split.leftSum);
      const right = openLeaf(leaf, leaf.count - split.leftCount, leaf.sum - split.leftSum);
      const cut = cuts[split.feature * BIN_STRIDE + split.bin]!;
      writeSplit(nodes, leaf.node, split, cut, left.node, right.node, split.gain / scale ** 2);
      leaves[at] = left;
      leaves.push(right);
      const [smaller, larger] = left.count <= right.count ? [left, right] : [right, left];
      const goesOn = leaves.length < maxLeaves && larger.count >= 2 * minLeaf;
      const counted = goesOn ? pool.take() : histogram;
      trainingPool.perform(
        {
          name: "split",
          node: leaf.node,
          counted: goesOn ? smaller.node : -1,
          featureCount: features.length,
        },
        leaf.count + (goesOn ? smaller.count * features.length : 0),
        counted,
      );
      if (goesOn) {
        subtractHistogram(histogram, counted);
        findSplit(smaller, counted);
        findSplit(larger, histogram);
      } else pool.give(histogram);
    }
    for (const leaf of leaves) if (leaf.histogram) pool.give(leaf.histogram);
    if (leaves.length === 1) return null;
    for (const { node, sum: leafSum, count: leafCount } of leaves) {
      const rows = trainingPool.shards.map((shard) => shard.rowsOf(node));
      const value = loss.leafValue(leafSum / scale, leafCount, rows, target, scores);
      nodes.value[node] = learningRate * value;
    }
    if (monotone) boundLeaves(nodes, monotone);
    trainingPool.perform({ name: "update", nodeCount }, 2 * rowCount);
    return copyOf(nodes, nodeCount);
  };
}

/** Returns the number of rows in a feature's cells, and the sum of their quantised residuals. */
function totalOf(histogram: Float64Array, feature: number, unit: number): [count: number, sum: number] {
  let count = 0;
  let sum = 0;
  for (let cell = feature * BIN_STRIDE; cell < (feature + 1) * BIN_STRIDE; cell++) {
    const rows = Math.floor(histogram[cell]! / unit + 0.5);
    count += rows;
    sum += histogram[cell]! - rows * unit;
  }
  return [count, sum];
}

function indexOfLargestGain(leaves: OpenLeaf[]): number {
  let best = -1;
  let bestGain = 0;
  for (let i = 0; i < leaves.length; i++) {
    const gain = leaves[i]!.split?.gain ?? 0;
    if (gain > bestGain) {
      bestGain = gain;
      best = i;
    }
  }
  return best;
}

function writeSplit(
  nodes: NodeMemory,
  node: number,
  { feature, bin, missingLeft }: Split,
  cut: number,
  left: number,
  right: number,
  gain: number,
): void {
  nodes.feature[node] = feature;
  nodes.binThreshold[node] = bin;
  nodes.threshold[node] = cut;
  nodes.left[node] = left;
  nodes.right[node] = right;
  nodes.missingLeft[node] = missingLeft ? 1 : 0;
  nodes.value[node] = 0;
  nodes.gain[node] = gain;
}

function copyOf(nodes: NodeMemory, size: number): Tree {
  const isLeaf = (node: number) => nodes.feature[node]! < 0;
  return {
    feature: nodes.feature.slice(0, size),
    threshold: nodes.threshold.slice(0, size).map((x, node) => (isLeaf(node) ? 0 : x)),
    left: nodes.left.slice(0, size).map((child, node) => (isLeaf(node) ? -1 : child)),
    right: nodes.right.slice(0, size).map((child, node) => (isLeaf(node) ? -1 : child)),
    missingLeft: nodes.missingLeft.slice(0, size).map((left, node) => (isLeaf(node) ? 0 : left)),
    value: nodes.value.slice(0, size),
    cover: nodes.cover.slice(0, size),
    gain: nodes.gain.slice(0, size).map((gain, node) => (isLeaf(node) ? 0 : gain)),
  };
}
