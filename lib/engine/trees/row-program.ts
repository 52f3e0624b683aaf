import type { Tree } from "#lib/engine/learners/tree";
import { binTest, type FeatureBins } from "./feature-bins.ts";
import { ROW_SIZES, type RowProgram, treeLayout } from "./row-kernel.ts";

/** @returns null for trees with more than 64 leaves or 32 tested features */
export function rowProgram(trees: Tree[], features: Map<number, FeatureBins>): RowProgram | null {
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
