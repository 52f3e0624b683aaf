import type { Tree } from "#lib/engine/learners/tree";
import { BINS } from "./bin-kernel.ts";

/**
 * Bins of a tested feature. Bin b holds values above b of the ascending cuts, which NaN pads. Two planes hold the
 * bins: in `plane`, a missing value is above all cuts and goes right; in the next one, it goes left.
 */
export type FeatureBins = { feature: number; cuts: Float32Array; plane: number };

/** Maximum thresholds per feature that a byte can count. A missing value's bin is above or below all. */
export const MAX_CUTS = BINS - 1;

/** Returns the bins of each tested feature. May exceed `MAX_CUTS` cuts. */
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

/** A node's test: a row goes right if its bin in the plane is above the threshold. */
export type BinTest = { plane: number; threshold: number };

export function binTest(tree: Tree, node: number, features: Map<number, FeatureBins>): BinTest {
  const { cuts, plane } = features.get(tree.feature[node]!)!;
  return {
    plane: tree.missingLeft[node] ? plane + 1 : plane,
    threshold: signedBin(cuts.indexOf(tree.threshold[node]!)),
  };
}

/** A threshold that no bin exceeds. */
export const ABOVE_ALL = signedBin(MAX_CUTS);

/** Vectors compare signed bytes from -128 to 127. */
function signedBin(bin: number): number {
  return bin - 128;
}
