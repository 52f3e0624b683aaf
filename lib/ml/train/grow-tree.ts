import { findBestSplit, type Split, type SplitRules } from "./best-split.ts";
import { type BinnedColumns, MISSING_BIN } from "./bins.ts";
import { addToHistogram, histogramPool, subtractHistogram } from "./histogram.ts";
import { type Packing, packResiduals } from "./packed-residuals.ts";
import type { Tree } from "./tree.ts";

export type GrowthRules = { maxLeaves: number; learningRate: number; minLeaf: number; l2: number };

export type GrownTree = {
  tree: Tree;
  /** Per node, the bin of its split: what `leafOfBins` routes by. */
  binThreshold: Uint8Array;
};

/** A node that is a leaf so far. Its rows are `rows[start … end)`. */
type OpenLeaf = {
  node: number;
  start: number;
  end: number;
  sum: number;
  /** Null where the leaf has too few rows to be split, or the tree has room for no more leaves. */
  histogram: Float64Array | null;
  split: Split | null;
};

/**
 * Grows trees leaf by leaf, always splitting where it lowers the error most (Shi 2007; LightGBM). Of two children
 * only the smaller one's histogram is counted; the other is the parent's less that. Buffers are kept between trees.
 */
export function treeGrower(data: BinnedColumns, rules: GrowthRules) {
  const { bins, featureCount, rowCount } = data;
  const cutCounts = Int32Array.from(data.cuts, (cuts) => cuts.length);
  const pool = histogramPool(featureCount);
  const packed = new Float64Array(rowCount);
  const movedRight = new Int32Array(rowCount);

  /** Puts the rows that go left first, each side in its old order, and returns where the right side starts. */
  function partition(rows: Int32Array, leaf: OpenLeaf, split: Split): number {
    const { feature, bin: last, missingLeft } = split;
    let left = leaf.start;
    let right = 0;
    for (let i = leaf.start; i < leaf.end; i++) {
      const row = rows[i]!;
      const bin = bins[row * featureCount + feature]!;
      if (bin <= last || (missingLeft && bin === MISSING_BIN)) rows[left++] = row;
      else movedRight[right++] = row;
    }
    rows.set(movedRight.subarray(0, right), left);
    return left;
  }

  /**
   * A tree on `rows` (reordered in place) and `features`, or null where no split helps. The rows' residuals are
   * lowered by their leaf's value; other rows' are left alone.
   */
  return function grow(residuals: Float64Array, rows: Int32Array, features: Int32Array): GrownTree | null {
    const packing = packResiduals(residuals, packed);
    const splitRules: SplitRules = { minLeaf: rules.minLeaf, l2: rules.l2, unit: packing.unit };
    const nodes = nodeBuffers(2 * rules.maxLeaves - 1);

    const openLeaf = (start: number, end: number, sum: number): OpenLeaf => {
      const node = nodes.add(end - start);
      return { node, start, end, sum, histogram: null, split: null };
    };
    const count = (leaf: OpenLeaf) => {
      const histogram = pool.take();
      addToHistogram(histogram, data, features, packed, rows, leaf.start, leaf.end);
      return histogram;
    };
    const findSplit = (leaf: OpenLeaf, histogram: Float64Array) => {
      leaf.histogram = histogram;
      const size = leaf.end - leaf.start;
      leaf.split = findBestSplit(histogram, features, cutCounts, size, leaf.sum, splitRules);
    };

    const root = openLeaf(0, rows.length, sumOf(packed, rows, packing.unit));
    findSplit(root, count(root));
    const leaves = [root];
    for (;;) {
      const at = indexOfLargestGain(leaves);
      if (at < 0) break;
      const leaf = leaves[at]!;
      const { split, histogram } = leaf;
      if (!split || !histogram) break;
      const middle = partition(rows, leaf, split);
      const left = openLeaf(leaf.start, middle, split.leftSum);
      const right = openLeaf(middle, leaf.end, leaf.sum - split.leftSum);
      const cut = data.cuts[split.feature]![split.bin]!;
      nodes.split(leaf.node, split, cut, left.node, right.node, split.gain / packing.scale ** 2);
      leaves[at] = left;
      leaves.push(right);
      const smallerIsLeft = middle - leaf.start <= leaf.end - middle;
      const smaller = smallerIsLeft ? left : right;
      const larger = smallerIsLeft ? right : left;
      if (leaves.length === rules.maxLeaves || larger.end - larger.start < 2 * rules.minLeaf) {
        pool.give(histogram);
      } else {
        const counted = count(smaller);
        subtractHistogram(histogram, counted);
        findSplit(smaller, counted);
        findSplit(larger, histogram);
      }
      if (leaves.length === rules.maxLeaves) break;
    }
    for (const leaf of leaves) if (leaf.histogram) pool.give(leaf.histogram);
    if (leaves.length === 1) return null;
    for (const leaf of leaves) {
      nodes.value[leaf.node] = lowerResiduals(residuals, rows, leaf, rules);
    }
    return nodes.finish();
  };
}

/** Sum of the quantised residuals of `rows`. */
function sumOf(packed: Float64Array, rows: Int32Array, unit: Packing["unit"]): number {
  let sum = 0;
  for (let i = 0; i < rows.length; i++) sum += packed[rows[i]!]! - unit;
  return sum;
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

/** The leaf's value: the regularised mean of its exact residuals times the learning rate, a float32. */
function lowerResiduals(
  residuals: Float64Array,
  rows: Int32Array,
  leaf: OpenLeaf,
  rules: GrowthRules,
): number {
  let sum = 0;
  for (let i = leaf.start; i < leaf.end; i++) sum += residuals[rows[i]!]!;
  const value = Math.fround((rules.learningRate * sum) / (leaf.end - leaf.start + rules.l2));
  for (let i = leaf.start; i < leaf.end; i++) residuals[rows[i]!]! -= value;
  return value;
}

/** Room for the nodes of one tree; `finish` cuts it to those that were added. */
function nodeBuffers(room: number) {
  const feature = new Int32Array(room).fill(-1);
  const threshold = new Float32Array(room);
  const left = new Int32Array(room).fill(-1);
  const right = new Int32Array(room).fill(-1);
  const missingLeft = new Uint8Array(room);
  const value = new Float32Array(room);
  const cover = new Float64Array(room);
  const gain = new Float64Array(room);
  const binThreshold = new Uint8Array(room);
  let size = 0;
  return {
    value,
    add(rowCount: number): number {
      cover[size] = rowCount;
      return size++;
    },
    split(
      node: number,
      split: Split,
      cut: number,
      leftNode: number,
      rightNode: number,
      nodeGain: number,
    ): void {
      feature[node] = split.feature;
      threshold[node] = cut;
      left[node] = leftNode;
      right[node] = rightNode;
      missingLeft[node] = split.missingLeft ? 1 : 0;
      gain[node] = nodeGain;
      binThreshold[node] = split.bin;
    },
    finish(): GrownTree {
      const tree: Tree = {
        feature: feature.slice(0, size),
        threshold: threshold.slice(0, size),
        left: left.slice(0, size),
        right: right.slice(0, size),
        missingLeft: missingLeft.slice(0, size),
        value: value.slice(0, size),
        cover: cover.slice(0, size),
        gain: gain.slice(0, size),
      };
      return { tree, binThreshold: binThreshold.slice(0, size) };
    },
  };
}

/** Lowers the residuals of `rows` by the tree's output, routing by bins: the same way as by values. */
export function lowerResidualsOf(
  residuals: Float64Array,
  rows: Int32Array,
  data: BinnedColumns,
  grown: GrownTree,
): void {
  const { bins, featureCount } = data;
  const { tree, binThreshold } = grown;
  for (const row of rows) {
    let node = 0;
    while (tree.feature[node]! >= 0) {
      const bin = bins[row * featureCount + tree.feature[node]!]!;
      const goesLeft = bin === MISSING_BIN ? tree.missingLeft[node] === 1 : bin <= binThreshold[node]!;
      node = goesLeft ? tree.left[node]! : tree.right[node]!;
    }
    residuals[row]! -= tree.value[node]!;
  }
}
