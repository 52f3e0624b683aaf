import type { Tree } from "#lib/engine/learners/tree";
import { BINS } from "./bin-kernel.ts";

/**
 * A tested feature's bins: bin b holds what is above b of the cuts, ascending and filled up with NaN. They are put into
 * two planes, `plane`, where a missing value is above all cuts and goes right, and the next, where it goes left.
 */
export type FeatureBins = { feature: number; cuts: Float32Array; plane: number };

/** As many thresholds of a feature as a byte can count; a missing value's bin is above or below all. */
export const MAX_CUTS = BINS - 1;

/** Of each feature that the trees test; with more cuts than `MAX_CUTS` where there are more. */
export function featureBins(trees: Tree[]): FeatureBins[] {
  const thresholds = new Map<number, Set<number>>();
  for (const { feature, threshold } of trees) {
    feature.forEach((tested, node) => {
      if (tested < 0) return;
      const known = thresholds.get(tested) ?? new Set();
      thresholds.set(tested, known.add(threshold[node]!));
    });
  }
  return Array.from(thresholds, ([feature, values], index) => {
    const cuts = new Float32Array(Math.max(BINS, values.size)).fill(Number.NaN);
    cuts.set(Float32Array.from(values).sort());
    return { feature, cuts, plane: 2 * index };
  });
}

/** What a node asks of a row: it goes right where the bin in the plane is above the threshold. */
export type BinTest = { plane: number; threshold: number };

export function binTest(tree: Tree, node: number, features: Map<number, FeatureBins>): BinTest {
  const { cuts, plane } = features.get(tree.feature[node]!)!;
  return {
    plane: tree.missingLeft[node] ? plane + 1 : plane,
    threshold: signedBin(cuts.indexOf(tree.threshold[node]!)),
  };
}

/** No bin is above it. */
export const ABOVE_ALL = signedBin(MAX_CUTS);

/** Vectors compare bytes from -128 to 127. */
function signedBin(bin: number): number {
  return bin - 128;
}
