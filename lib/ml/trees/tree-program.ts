import type { Ensemble, Tree } from "../train/tree.ts";
import { MAX_LEAVES, MAX_PLANES, NODE_BYTES, RESULTS, SLOT_BYTES } from "./tree-kernel.ts";

/** A feature's bins and where they lie: bin b holds what is above b of the cuts, ascending and filled up with NaN. */
export type FeatureBins = { feature: number; cuts: Float32Array; missingRight: number; missingLeft: number };
export type TreeProgram = { bytes: Uint8Array; features: FeatureBins[] };

/** As many thresholds of a feature as a byte can count; a missing value's bin is above or below all. */
const MAX_CUTS = 255;

/**
 * The ensemble as the kernel reads it; null for one that bytes cannot number: with more than 256 leaves in a tree, 255
 * different thresholds of a feature, or 511 features that are tested; or that has values that are no finite numbers.
 */
export function treeProgram(ensemble: Ensemble): TreeProgram | null {
  const trees = ensemble.trees;
  if (trees.length === 0 || !trees.every(isUsable)) return null;
  const features = featureBins(trees);
  if (features.some(({ feature }) => feature >= ensemble.featureCount)) return null;
  if (features.some(({ cuts }) => !Number.isNaN(cuts[MAX_CUTS])) || 2 * features.length > MAX_PLANES)
    return null;
  const byFeature = new Map(features.map((bins) => [bins.feature, bins]));
  const parts = trees.map((tree) => programOf(tree, byFeature));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, features };
}

/** Small, of finite numbers, and a tree: each node but the root the child of just one before it. */
function isUsable({ feature, threshold, value, left, right }: Tree): boolean {
  if (feature.length >= 2 * MAX_LEAVES) return false;
  const children = Array.from(feature, (tested, node) => (tested < 0 ? [] : [left[node]!, right[node]!]));
  const isForward = children.every((pair, node) => pair.every((child) => child > node));
  const isComplete =
    new Set(children.flat()).size === feature.length - 1 && children.flat().length === feature.length - 1;
  return isForward && isComplete && threshold.every(Number.isFinite) && value.every(Number.isFinite);
}

function featureBins(trees: Tree[]): FeatureBins[] {
  const thresholds = new Map<number, Set<number>>();
  for (const { feature, threshold } of trees) {
    feature.forEach((tested, node) => {
      if (tested < 0) return;
      const known = thresholds.get(tested) ?? new Set();
      thresholds.set(tested, known.add(threshold[node]!));
    });
  }
  return Array.from(thresholds, ([feature, values], index) => {
    const cuts = new Float32Array(Math.max(MAX_CUTS + 1, values.size)).fill(Number.NaN);
    cuts.set(Float32Array.from(values).sort());
    return {
      feature,
      cuts,
      missingRight: 2 * index * SLOT_BYTES,
      missingLeft: (2 * index + 1) * SLOT_BYTES,
    };
  });
}

function programOf(tree: Tree, features: Map<number, FeatureBins>): Uint8Array {
  // A tree of one leaf gets a node that sends all rows to it.
  const nodes = Math.max(1, (tree.feature.length - 1) / 2);
  const view = new DataView(new ArrayBuffer(4 + nodes * NODE_BYTES + (nodes + 1) * 4));
  view.setInt32(0, nodes * NODE_BYTES, true);
  let at = 4;
  let results = 0;
  const leaves: number[] = [];
  const put = (left: number, right: number, plane: number, threshold: number) => {
    view.setUint16(at, left, true);
    view.setUint16(at + 2, right, true);
    view.setUint16(at + 4, plane, true);
    view.setInt8(at + 6, threshold);
    at += NODE_BYTES;
  };
  const slotOf = (node: number): number => {
    const tested = tree.feature[node]!;
    if (tested < 0) return (leaves.push(tree.value[node]!) - 1) * SLOT_BYTES;
    const left = slotOf(tree.left[node]!);
    const right = slotOf(tree.right[node]!);
    const { cuts, missingLeft, missingRight } = features.get(tested)!;
    put(
      left,
      right,
      tree.missingLeft[node] ? missingLeft : missingRight,
      signedBin(cuts.indexOf(tree.threshold[node]!)),
    );
    return RESULTS + results++ * SLOT_BYTES;
  };
  if (slotOf(0) === 0) put(0, 0, 0, signedBin(MAX_CUTS));
  leaves.forEach((value, leaf) => {
    view.setFloat32(at + 4 * leaf, value, true);
  });
  return new Uint8Array(view.buffer);
}

/** Vectors compare bytes from -128 to 127. */
export function signedBin(bin: number): number {
  return bin - 128;
}
