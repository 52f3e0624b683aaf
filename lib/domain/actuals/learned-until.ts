import type { OpenModel } from "#lib/domain/models/open-model";
import { numericValues } from "#lib/engine/table/columns";

/** Returns the time of the last row that a model was fitted on, in epoch milliseconds; −∞ if unknown. */
export function learnedUntil({ history, state }: Pick<OpenModel, "history" | "state">): number {
  if (state.learnedUntil !== undefined) return state.learnedUntil ?? Number.NEGATIVE_INFINITY;
  // Models of version 1 were not fitted on their validation rows.
  if (history === null || state.timestamp === null) return Number.NEGATIVE_INFINITY;
  const times = numericValues(history, state.timestamp);
  return times[history.rowCount - state.validationRows - 1] ?? Number.NEGATIVE_INFINITY;
}
