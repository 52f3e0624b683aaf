import type { Ensemble, Tree } from "#lib/engine/learners/tree";
import { ProtobufWriter } from "./protobuf.ts";

/** AttributeProto and its AttributeType numbers (onnx.proto). */
const TYPE = { int: 2, string: 3, floats: 6, ints: 7, strings: 8 };

export function intAttribute(name: string, value: number): ProtobufWriter {
  return new ProtobufWriter().string(1, name).int(3, value).int(20, TYPE.int);
}

export function stringAttribute(name: string, value: string): ProtobufWriter {
  return new ProtobufWriter().string(1, name).string(4, value).int(20, TYPE.string);
}

export function floatsAttribute(name: string, values: ArrayLike<number>): ProtobufWriter {
  return new ProtobufWriter().string(1, name).packedFloats(7, values).int(20, TYPE.floats);
}

export function intsAttribute(name: string, values: ArrayLike<number>): ProtobufWriter {
  return new ProtobufWriter().string(1, name).packedInts(8, values).int(20, TYPE.ints);
}

export function stringsAttribute(name: string, values: string[]): ProtobufWriter {
  const attribute = new ProtobufWriter().string(1, name);
  // Most texts repeat.
  const encoded = new Map(Array.from(new Set(values), (value) => [value, new TextEncoder().encode(value)]));
  for (const value of values) attribute.bytes(9, encoded.get(value)!);
  return attribute.int(20, TYPE.strings);
}

/**
 * Returns the nodes and leaves of a TreeEnsembleRegressor (operator reference of ai.onnx.ml, version 1). BRANCH_LEQ
 * tests `value <= threshold`; a missing value follows `nodes_missing_value_tracks_true`. `nodes_hitrates` stores the
 * cover, its intended purpose.
 */
export function treeAttributes(ensemble: Ensemble): ProtobufWriter[] {
  // The operator requires at least one tree.
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
