import { numericValues } from "#lib/ml/table/columns";
import type { OpenModel } from "#lib/models/open-model";

/** Time of the last row that a model has learned from, in epoch milliseconds; the validation rows after it are none. */
export function learnedUntil({ history, state }: OpenModel): number {
  if (history === null || state.timestamp === null) return Number.NEGATIVE_INFINITY;
  const times = numericValues(history, state.timestamp);
  return times[history.rowCount - state.validationRows - 1] ?? Number.NEGATIVE_INFINITY;
}
