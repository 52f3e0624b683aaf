import type { Ensemble, Tree } from "#lib/engine/learners/tree";
import { floatsAttribute, intsAttribute, stringsAttribute } from "#lib/ml/onnx/attribute";
import type { ProtobufWriter } from "./protobuf.ts";

/**
 * The nodes and leaves of TreeEnsembleRegressor (operator reference of ai.onnx.ml, version 1). A node's rows reach
 * it `value <= threshold` as BRANCH_LEQ; a missing value follows `nodes_missing_value_tracks_true`. The cover goes to
 * `nodes_hitrates`, which is what it is for.
 */
export function treeAttributes(ensemble: Ensemble): ProtobufWriter[] {
  // The operator needs at least one tree.
  const trees = ensemble.trees.length > 0 ? ensemble.trees : [emptyTree()];
  const nodeCount = trees.reduce((sum, tree) => sum + tree.feature.length, 0);
  const column = () => new Int32Array(nodeCount);
  const treeIds = column();
  const nodeIds = column();
  const features = column();
  const lefts = column();
  const rights = column();
  const missingLeft = column();
  const thresholds = new Float32Array(nodeCount);
  const covers = new Float32Array(nodeCount);
  const modes: string[] = [];
  const leaves = { treeIds: [] as number[], nodeIds: [] as number[], weights: [] as number[] };
  let at = 0;
  trees.forEach((tree, treeId) => {
    for (let node = 0; node < tree.feature.length; node++, at++) {
      const feature = tree.feature[node]!;
      treeIds[at] = treeId;
      nodeIds[at] = node;
      covers[at] = tree.cover[node]!;
      if (feature < 0) {
        modes.push("LEAF");
        leaves.treeIds.push(treeId);
        leaves.nodeIds.push(node);
        leaves.weights.push(tree.value[node]!);
      } else {
        modes.push("BRANCH_LEQ");
        features[at] = feature;
        thresholds[at] = tree.threshold[node]!;
        lefts[at] = tree.left[node]!;
        rights[at] = tree.right[node]!;
        missingLeft[at] = tree.missingLeft[node]!;
      }
    }
  });
  return [
    intsAttribute("nodes_treeids", treeIds),
    intsAttribute("nodes_nodeids", nodeIds),
    intsAttribute("nodes_featureids", features),
    stringsAttribute("nodes_modes", modes),
    floatsAttribute("nodes_values", thresholds),
    floatsAttribute("nodes_hitrates", covers),
    intsAttribute("nodes_truenodeids", lefts),
    intsAttribute("nodes_falsenodeids", rights),
    intsAttribute("nodes_missing_value_tracks_true", missingLeft),
    intsAttribute("target_treeids", leaves.treeIds),
    intsAttribute("target_nodeids", leaves.nodeIds),
    intsAttribute("target_ids", new Int32Array(leaves.weights.length)),
    floatsAttribute("target_weights", leaves.weights),
  ];
}

function emptyTree(): Tree {
  return {
    feature: Int32Array.of(-1),
    threshold: Float32Array.of(0),
    left: Int32Array.of(-1),
    right: Int32Array.of(-1),
    missingLeft: Uint8Array.of(0),
    value: Float32Array.of(0),
    cover: Float64Array.of(0),
  };
}
