import type { Adjustment } from "#lib/contract/scenarios";
import type { Table } from "#lib/contract/table";
import { applyAdjustments } from "#lib/engine/inference/adjust";
import type { AdjustmentFault, InputAdjustment } from "#lib/engine/inference/adjustments";
import { DomainError, type ErrorDetail } from "#lib/platform/errors/domain-error";
import { instantOf } from "../rules.ts";

/** Adjustments as the models' code has them: times as epoch milliseconds. */
export function inputAdjustments(adjustments: readonly Adjustment[]): InputAdjustment[] {
  return adjustments.map(({ from, to, ...rest }) => ({
    ...rest,
    from: from === undefined ? undefined : instantOf(from),
    to: to === undefined ? undefined : instantOf(to),
  }));
}

export function adjustmentDetails(faults: readonly AdjustmentFault[]): ErrorDetail[] {
  return faults.map(({ adjustment, code, message }) => ({
    ...{ field: `adjustments.${adjustment}`, code, message },
  }));
}

/** Names every adjustment that cannot be applied; there is at least one. */
export function adjustmentRefusal(faults: readonly AdjustmentFault[]): DomainError {
  return new DomainError("validation_failed", faults[0]!.message, { details: adjustmentDetails(faults) });
}

/**
 * The input with the adjustments applied in their order.
 *
 * @param timestamp the column of times, null without one
 * @throws {DomainError} validation_failed
 */
export function adjustInput(
  table: Table,
  adjustments: readonly Adjustment[],
  timestamp: string | null,
): Table {
  if (adjustments.length === 0) return table;
  const result = applyAdjustments(table, inputAdjustments(adjustments), timestamp);
  if (!result.ok) throw adjustmentRefusal(result.faults);
  return result.table;
}
