import { type LinearModel, predictLinear } from "./linear-design.ts";

/**
 * Regression tree as flat arrays; node 0 is the root. A row goes left if `value <= threshold`, compared in float32. A
 * missing value (NaN) goes left if `missingLeft` is 1.
 */
export type Tree = {
  /** Index of the column that the node tests; -1 for a leaf. */
  feature: Int32Array;
  threshold: Float32Array;
  left: Int32Array;
  right: Int32Array;
  missingLeft: Uint8Array;
  /** Leaf output, learning rate included; 0 for inner nodes. */
  value: Float32Array;
  /** Number of training rows that reached the node. */
  cover: Float64Array;
  /** Decrease of the sum of squared errors by the node's split; 0 for leaves. */
  gain?: Float64Array;
};

/**
 * Ensemble of trees. The score is `baseValue` plus one leaf per tree, in float32. The prediction is `center` +
 * `scale` × score, or e^score with the link `exp`. `baseValue` is a float32.
 */
export type Ensemble = {
  kind: "trees";
  baseValue: number;
  featureCount: number;
  trees: Tree[];
  link?: "exp";
  /** Linear model of the same columns that is added to the prediction; only without a link. */
  base?: LinearModel;
} & Partial<OutputScale>;

/**
 * Converts a score to the target's unit in float64. In the scores' 32 bits, a target of 1e9 ± 0.5 would lose its
 * changes. Only without a link; defaults are 0 and 1.
 */
type OutputScale = { center: number; scale: number };

type Link = Pick<Ensemble, "link" | "center" | "scale" | "base">;

/** Converts scores to predictions. */
export function scoresToPredictions(
  { link, center = 0, scale = 1, base }: Link,
  scores: Float64Array,
  columns: Float32Array[],
): Float64Array {
  if (link === "exp") return scores.map(Math.exp);
  if (base) {
    const added = predictLinear(base, columns);
    return scores.map((score, row) => center + scale * score + added[row]!);
  }
  return center === 0 && scale === 1 ? scores : scores.map((score) => center + scale * score);
}

/** Adds the tree's output for each row to `sums`. */
export function addTree(tree: Tree, columns: Float32Array[], sums: Float64Array): void {
  const { value } = tree;
  for (let row = 0; row < sums.length; row++) sums[row]! += value[leafOf(tree, columns, row)]!;
}

/** Returns the leaf that the row reaches. */
export function leafOf(tree: Tree, columns: Float32Array[], row: number): number {
  const { feature, threshold, left, right, missingLeft } = tree;
  let node = 0;
  let tested = feature[0]!;
  while (tested >= 0) {
    const x = columns[tested]![row]!;
    const goesLeft = Number.isNaN(x) ? missingLeft[node] === 1 : x <= threshold[node]!;
    node = goesLeft ? left[node]! : right[node]!;
    tested = feature[node]!;
  }
  return node;
}
