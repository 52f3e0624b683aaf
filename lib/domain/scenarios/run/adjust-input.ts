import type { Adjustment } from "#lib/contract/scenarios";
import type { Table } from "#lib/contract/table";
import { applyAdjustments } from "#lib/engine/inference/adjust";
import { type AdjustmentIssue, inputAdjustments } from "#lib/engine/inference/adjustments";
import { DomainError, type ErrorDetail } from "#lib/platform/errors/domain-error";

export function adjustmentDetails(issues: readonly AdjustmentIssue[]): ErrorDetail[] {
  return issues.map(({ adjustment, code, message }) => ({
    field: `adjustments.${adjustment}`,
    code,
    message,
  }));
}

/** Creates the error for adjustments that cannot be applied. `issues` has at least one entry. */
export function adjustmentError(issues: readonly AdjustmentIssue[]): DomainError {
  return new DomainError("validation_failed", issues[0]!.message, { details: adjustmentDetails(issues) });
}

/**
 * Applies the adjustments to the input, in order.
 *
 * @param timestamp the timestamp column; null without one
 * @throws {DomainError} validation_failed
 */
export function adjustInput(
  table: Table,
  adjustments: readonly Adjustment[],
  timestamp: string | null,
): Table {
  if (adjustments.length === 0) return table;
  const result = applyAdjustments(table, inputAdjustments(adjustments), timestamp);
  if (!result.ok) throw adjustmentError(result.issues);
  return result.table;
}
