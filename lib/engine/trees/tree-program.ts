import type { Ensemble, Tree } from "#lib/engine/learners/tree";
import { ABOVE_ALL, type BinTest, binTest, type FeatureBins, featureBins, MAX_CUTS } from "./feature-bins.ts";
import { ROW_SIZES, type RowProgram, treeLayout } from "./row-kernel.ts";
import { MAX_LEAVES, MAX_PLANES, NODE_BYTES, RESULTS, SLOT_BYTES, type TreeProgram } from "./tree-kernel.ts";

/**
 * Returns the ensemble in kernel format. Returns null if a byte cannot number its parts (more than 256 leaves per
 * tree, 255 distinct thresholds per feature, or 511 tested features), or if a value is not finite.
 */
export function treeProgram(ensemble: Ensemble): TreeProgram | null {
  const trees = ensemble.trees;
  if (trees.length === 0 || !trees.every((tree) => isTree(tree) && tree.feature.length < 2 * MAX_LEAVES))
    return null;
  const features = featureBins(trees);
  if (features.some(({ feature }) => feature >= ensemble.featureCount)) return null;
  if (features.some(({ cuts }) => !Number.isNaN(cuts[MAX_CUTS])) || 2 * features.length > MAX_PLANES)
    return null;
  const byFeature = new Map(features.map((bins) => [bins.feature, bins]));
  const bytes = Buffer.concat(trees.map((tree) => programOf(tree, byFeature)));
  return { bytes, row: rowProgram(trees, byFeature), features };
}

/** Returns whether a tree is finite and valid: each node except the root is the child of exactly one earlier node. */
export function isTree({ feature, threshold, value, left, right }: Tree): boolean {
  const children = Array.from(feature, (tested, node) => (tested < 0 ? [] : [left[node]!, right[node]!]));
  const isForward = children.every((pair, node) => pair.every((child) => child > node));
  const isComplete =
    new Set(children.flat()).size === feature.length - 1 && children.flat().length === feature.length - 1;
  return isForward && isComplete && threshold.every(Number.isFinite) && value.every(Number.isFinite);
}

function programOf(tree: Tree, features: Map<number, FeatureBins>): Uint8Array {
  // A tree of one leaf gets a node that sends all rows to the leaf.
  const nodes = Math.max(1, (tree.feature.length - 1) / 2);
  const view = new DataView(new ArrayBuffer(4 + nodes * NODE_BYTES + (nodes + 1) * 4));
  view.setInt32(0, nodes * NODE_BYTES, true);
  let at = 4;
  let results = 0;
  const leaves: number[] = [];
  const put = (left: number, right: number, { plane, threshold }: BinTest) => {
    view.setUint16(at, left, true);
    view.setUint16(at + 2, right, true);
    view.setUint16(at + 4, plane * SLOT_BYTES, true);
    view.setInt8(at + 6, threshold);
    at += NODE_BYTES;
  };
  const slotOf = (node: number): number => {
    if (tree.feature[node]! < 0) return (leaves.push(tree.value[node]!) - 1) * SLOT_BYTES;
    const left = slotOf(tree.left[node]!);
    const right = slotOf(tree.right[node]!);
    put(left, right, binTest(tree, node, features));
    return RESULTS + results++ * SLOT_BYTES;
  };
  if (slotOf(0) === 0) put(0, 0, { plane: 0, threshold: ABOVE_ALL });
  leaves.forEach((value, leaf) => {
    view.setFloat32(at + 4 * leaf, value, true);
  });
  return new Uint8Array(view.buffer);
}

/** @returns null for trees with more than 64 leaves or 32 tested features */
function rowProgram(trees: Tree[], features: Map<number, FeatureBins>): RowProgram | null {
  const leaves = ROW_SIZES.find((size) => trees.every(({ feature }) => feature.length < 2 * size));
  const planes = ROW_SIZES.find((size) => 2 * features.size <= size);
  if (!leaves || !planes) return null;
  const { treeBytes } = treeLayout(leaves);
  const bytes = new Uint8Array(trees.length * treeBytes);
  trees.forEach((tree, index) => {
    putTree(tree, features, leaves, new DataView(bytes.buffer, index * treeBytes, treeBytes));
  });
  return { bytes, shape: { leaves, planes } };
}

function putTree(tree: Tree, features: Map<number, FeatureBins>, size: number, view: DataView): void {
  const { thresholds, masks, values } = treeLayout(size);
  let nodes = 0;
  let leaves = 0;
  const put = (node: number): void => {
    if (tree.feature[node]! < 0) {
      view.setFloat32(values + 4 * leaves++, tree.value[node]!, true);
      return;
    }
    const index = nodes++;
    const { plane, threshold } = binTest(tree, node, features);
    view.setUint8(index, plane);
    view.setInt8(thresholds + index, threshold);
    const first = leaves;
    put(tree.left[node]!);
    for (let leaf = first; leaf < leaves; leaf++) {
      const at = masks + (leaf >> 3) * size + index;
      view.setUint8(at, view.getUint8(at) | (1 << (leaf & 7)));
    }
    put(tree.right[node]!);
  };
  put(0);
}
