/** Maximum processor times in milliseconds. */
export type CostLimits = { oneRow: number; fullBatch: number };

/** A call with one row, and one with a full batch, which a model process ends after 30 seconds. */
export const costLimits: CostLimits = { oneRow: 2_000, fullBatch: 10_000 };
