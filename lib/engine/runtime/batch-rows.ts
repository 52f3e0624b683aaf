/** Large enough to hide the cost of a call, small enough that the matrix stays in the processor's cache. */
export const BATCH_ROWS = 8192;

/** Maximum values of a batch. Wide tables have fewer rows in a batch, which bounds its memory. */
const BATCH_VALUES_MAX = 4_000_000;

/** Returns the number of rows of a full batch of so many columns. */
export function batchRows(width: number): number {
  return Math.max(1, Math.min(BATCH_ROWS, Math.floor(BATCH_VALUES_MAX / Math.max(1, width))));
}
