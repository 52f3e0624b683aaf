import { BIN_STRIDE } from "./bins.ts";

/**
 * Adds the packed residuals of `rows[start … end)` to the histogram: one cell for each bin of each of `features`.
 * Each pass handles four features: few enough to keep their offsets in registers, and enough to read rows and
 * residuals rarely.
 */
export function addToHistogram(
  histogram: Float64Array,
  { bins, featureCount }: { bins: Uint8Array; featureCount: number },
  features: Int32Array,
  packed: Float64Array,
  rows: Int32Array,
  start: number,
  end: number,
): void {
  let next = 0;
  for (; next + 4 <= features.length; next += 4) {
    const f0 = features[next]!;
    const f1 = features[next + 1]!;
    const f2 = features[next + 2]!;
    const f3 = features[next + 3]!;
    const o0 = f0 * BIN_STRIDE;
    const o1 = f1 * BIN_STRIDE;
    const o2 = f2 * BIN_STRIDE;
    const o3 = f3 * BIN_STRIDE;
    for (let i = start; i < end; i++) {
      const row = rows[i]!;
      const cell = packed[row]!;
      const at = row * featureCount;
      histogram[o0 + bins[at + f0]!]! += cell;
      histogram[o1 + bins[at + f1]!]! += cell;
      histogram[o2 + bins[at + f2]!]! += cell;
      histogram[o3 + bins[at + f3]!]! += cell;
    }
  }
  for (; next < features.length; next++) {
    const feature = features[next]!;
    const offset = feature * BIN_STRIDE;
    for (let i = start; i < end; i++) {
      const row = rows[i]!;
      histogram[offset + bins[row * featureCount + feature]!]! += packed[row]!;
    }
  }
}

/** Adds another shard's histogram. */
export function mergeHistogram(histogram: Float64Array, other: Float64Array): void {
  for (let cell = 0; cell < histogram.length; cell++) histogram[cell]! += other[cell]!;
}

/** Subtracts one child's histogram from its parent's; the result is the other child's histogram. */
export function subtractHistogram(parent: Float64Array, child: Float64Array): void {
  for (let cell = 0; cell < parent.length; cell++) parent[cell]! -= child[cell]!;
}

/** Reuses histograms, which are large and short-lived; reused ones are zeroed. */
export function histogramPool(featureCount: number) {
  const free: Float64Array[] = [];
  return {
    take(): Float64Array {
      const used = free.pop();
      return used ? used.fill(0) : new Float64Array(featureCount * BIN_STRIDE);
    },
    give(histogram: Float64Array): void {
      free.push(histogram);
    },
  };
}
