import { BIN_STRIDE, binColumn, cutPoints, MISSING_BIN } from "./bins.ts";
import { addToHistogram } from "./histogram.ts";
import { lossOf } from "./losses.ts";
import { packResiduals } from "./packed-residuals.ts";
import { STRIPE_ROWS, type TrainingMemory } from "./shared-memory.ts";

/** Training steps over rows or columns, with their parameters. */
export type Step =
  /** Each shard bins the column in its memory; shard i bins `feature` + i. */
  | { name: "bin"; feature: number }
  /** Computes the residuals of the next round. */
  | { name: "residuals" }
  /** Packs the residuals, collects the sampled rows as node 0 and counts its histogram. */
  | { name: "root"; unit: number; scale: number; featureCount: number }
  /** Partitions a node's rows by its split, and counts the histogram of the child `counted` (-1: neither). */
  | { name: "split"; node: number; counted: number; featureCount: number }
  /** Adds the tree's values to the scores. */
  | { name: "update"; nodeCount: number };

export type Shard = {
  /** Performs the shard's part of the step; adds counts to the histogram. */
  perform(step: Step, histogram: Float64Array): void;
  /** Returns the shard's rows of a node. */
  rowsOf(node: number): Int32Array;
};

/** Creates one thread's part of the rows: every `shardCount`th stripe. All state is in the shared memory. */
export function shardOf(memory: TrainingMemory, index: number): Shard {
  const { rowCount, featureCount, shardCount, bins, packed, target, scores, inSample, nodes } = memory;
  const { column, rows, moved, ranges, otherRanges } = memory.shards[index]!;
  const isSampled = memory.params.subsample < 1;
  const loss = lossOf(memory.params);

  function eachStripe(visit: (from: number, to: number, stripe: number) => void): void {
    for (let stripe = index; stripe * STRIPE_ROWS < rowCount; stripe += shardCount) {
      const from = stripe * STRIPE_ROWS;
      visit(from, Math.min(from + STRIPE_ROWS, rowCount), stripe);
    }
  }

  function bin(feature: number): void {
    if (feature >= featureCount) return;
    const cuts = cutPoints(column, memory.params.maxBins);
    memory.cutCounts[feature] = cuts.length;
    memory.cuts.set(cuts, feature * BIN_STRIDE);
    binColumn(column, cuts, bins, feature, featureCount);
  }

  /**
   * Puts the sampled rows first and the others after them. The others also pass down the tree, but are not learned
   * from.
   */
  function collectSample(): void {
    let count = 0;
    let others = 0;
    eachStripe((from, to) => {
      for (let row = from; row < to; row++) {
        const sampled = inSample[row]!;
        rows[count] = row;
        moved[others] = row;
        count += sampled;
        others += 1 - sampled;
      }
    });
    rows.set(moved.subarray(0, others), count);
    setRange(ranges, 0, 0, count);
    setRange(otherRanges, 0, count, count + others);
  }

  function setRange(of: Int32Array, node: number, start: number, end: number): void {
    of[2 * node] = start;
    of[2 * node + 1] = end;
  }

  function count(node: number, featuresUsed: number, histogram: Float64Array): void {
    const features = memory.features.subarray(0, featuresUsed);
    addToHistogram(histogram, memory, features, packed, rows, ranges[2 * node]!, ranges[2 * node + 1]!);
  }

  /** Moves the rows that go left to the front; each side keeps its order. Writes both positions to avoid branches. */
  function split(node: number, of: Int32Array): void {
    const start = of[2 * node]!;
    const end = of[2 * node + 1]!;
    const feature = nodes.feature[node]!;
    const last = nodes.binThreshold[node]!;
    const alsoLeft = nodes.missingLeft[node] === 1 ? MISSING_BIN : last;
    let left = start;
    let right = 0;
    for (let i = start; i < end; i++) {
      const row = rows[i]!;
      const at = bins[row * featureCount + feature]!;
      const goesLeft = Number(at <= last) | Number(at === alsoLeft);
      rows[left] = row;
      moved[right] = row;
      left += goesLeft;
      right += 1 - goesLeft;
    }
    rows.set(moved.subarray(0, right), left);
    setRange(of, nodes.left[node]!, start, left);
    setRange(of, nodes.right[node]!, left, end);
  }

  function update(nodeCount: number, of: Int32Array): void {
    for (let node = 0; node < nodeCount; node++) {
      if (nodes.feature[node]! >= 0) continue;
      const value = nodes.value[node]!;
      const end = of[2 * node + 1]!;
      for (let i = of[2 * node]!; i < end; i++) scores[rows[i]!]! += value;
    }
  }

  return {
    perform(step, histogram) {
      if (step.name === "bin") bin(step.feature + index);
      else if (step.name === "residuals") {
        eachStripe((from, to, stripe) => {
          memory.stripeTotals[stripe] = loss.fillResiduals(target, scores, packed, from, to);
        });
      } else if (step.name === "root") {
        eachStripe((from, to) => packResiduals(packed, step, from, to));
        collectSample();
        count(0, step.featureCount, histogram);
      } else if (step.name === "split") {
        split(step.node, ranges);
        if (isSampled) split(step.node, otherRanges);
        if (step.counted >= 0) count(step.counted, step.featureCount, histogram);
      } else {
        update(step.nodeCount, ranges);
        if (isSampled) update(step.nodeCount, otherRanges);
      }
    },
    rowsOf: (node) => rows.subarray(ranges[2 * node]!, ranges[2 * node + 1]!),
  };
}
