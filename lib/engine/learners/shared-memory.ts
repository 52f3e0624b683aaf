import { BIN_STRIDE } from "./bins.ts";
import type { BoostingParams } from "./boosting-params.ts";

/** Rows are assigned to threads in stripes, so that every thread gets early and late rows. */
export const STRIPE_ROWS = 1024;

/**
 * Memory of a training run. All arrays are shared: the threads see the same arrays. Each thread writes only the data
 * of its shard (its stripes of rows) or of its current step.
 */
export type TrainingMemory = {
  rowCount: number;
  featureCount: number;
  shardCount: number;
  params: Pick<BoostingParams, "loss" | "quantile" | "l1" | "l2" | "maxBins" | "subsample">;
  /** Row-major, `featureCount` bytes per row: one row's bins lie in one cache line. */
  bins: Uint8Array;
  /** Number of cuts per feature, and space for the maximum number of cuts. */
  cutCounts: Int32Array;
  cuts: Float32Array;
  target: Float64Array;
  scores: Float64Array;
  /** The residuals of the round, later replaced by their packed cells. */
  packed: Float64Array;
  /** Sum of the absolute residuals of each stripe. */
  stripeTotals: Float64Array;
  /** 1 if the current tree uses the row. */
  inSample: Uint8Array;
  /** Features that the tree can use; a step uses the first `featureCount` of them. */
  features: Int32Array;
  nodes: NodeMemory;
  shards: ShardMemory[];
};

/** Nodes of the growing tree. */
export type NodeMemory = {
  feature: Int32Array;
  binThreshold: Uint8Array;
  threshold: Float32Array;
  left: Int32Array;
  right: Int32Array;
  missingLeft: Uint8Array;
  value: Float32Array;
  cover: Float64Array;
  gain: Float64Array;
};

type ShardMemory = {
  /** The column to bin. */
  column: Float32Array;
  /** The shard's rows, grouped by node, and a buffer of the same size. */
  rows: Int32Array;
  moved: Int32Array;
  /** Start and end of each node's rows in `rows`; `otherRanges` holds the same for rows outside the sample. */
  ranges: Int32Array;
  otherRanges: Int32Array;
  /** Last histogram of a shard that has its own thread. */
  histogram: Float64Array;
};

export function trainingMemory(
  targetValues: Float64Array,
  featureCount: number,
  params: BoostingParams,
  shardCount: number,
): TrainingMemory {
  const rowCount = targetValues.length;
  const stripes = Math.ceil(rowCount / STRIPE_ROWS);
  const shardRows = Math.ceil(stripes / shardCount) * STRIPE_ROWS;
  const nodes = 2 * params.maxLeaves - 1;
  const { loss, quantile, l1, l2, maxBins, subsample } = params;
  const memory: TrainingMemory = {
    rowCount,
    featureCount,
    shardCount,
    params: { loss, quantile, l1, l2, maxBins, subsample },
    bins: new Uint8Array(shared(rowCount * featureCount)),
    cutCounts: int32(featureCount),
    cuts: float32(featureCount * BIN_STRIDE),
    target: float64(rowCount),
    scores: float64(rowCount),
    packed: float64(rowCount),
    stripeTotals: float64(stripes),
    inSample: new Uint8Array(shared(rowCount)).fill(1),
    features: int32(featureCount),
    nodes: {
      feature: int32(nodes),
      binThreshold: new Uint8Array(shared(nodes)),
      threshold: float32(nodes),
      left: int32(nodes),
      right: int32(nodes),
      missingLeft: new Uint8Array(shared(nodes)),
      value: float32(nodes),
      cover: float64(nodes),
      gain: float64(nodes),
    },
    shards: Array.from({ length: shardCount }, () => ({
      column: float32(rowCount),
      rows: int32(shardRows),
      moved: int32(shardRows),
      ranges: int32(2 * nodes),
      otherRanges: int32(2 * nodes),
      histogram: float64(shardCount > 1 ? featureCount * BIN_STRIDE : 0),
    })),
  };
  memory.target.set(targetValues);
  return memory;
}

const shared = (bytes: number) => new SharedArrayBuffer(bytes);
const int32 = (length: number) => new Int32Array(shared(4 * length));
const float32 = (length: number) => new Float32Array(shared(4 * length));
const float64 = (length: number) => new Float64Array(shared(8 * length));
