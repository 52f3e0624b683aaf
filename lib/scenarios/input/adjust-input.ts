import type { Adjustment } from "#lib/contract/scenarios";
import type { Table } from "#lib/contract/table";
import { DomainError, type ErrorDetail } from "#lib/errors/domain-error";
import { applyAdjustments } from "#lib/ml/model/adjust";
import { instantOf } from "../rules.ts";

/** What came of adjustments: the input with how many rows each of them changed, or every fault of theirs. */
export type AdjustedInput =
  | { ok: true; table: Table; changedRows: number[] }
  | { ok: false; details: ErrorDetail[] };

/**
 * Applies adjustments in their order.
 *
 * @param timestamp the column of times, null without one
 */
export function tryAdjustments(
  table: Table,
  adjustments: readonly Adjustment[],
  timestamp: string | null,
): AdjustedInput {
  const result = applyAdjustments(
    table,
    adjustments.map(({ from, to, ...rest }) => ({
      ...rest,
      from: from === undefined ? undefined : instantOf(from),
      to: to === undefined ? undefined : instantOf(to),
    })),
    timestamp,
  );
  if (result.ok) return result;
  const details = result.faults.map(({ adjustment, code, message }) => ({
    ...{ field: `adjustments.${adjustment}`, code, message },
  }));
  return { ok: false, details };
}

/**
 * The input with the adjustments applied in their order.
 *
 * @param timestamp the column of times, null without one
 * @throws {DomainError} validation_failed naming every adjustment that cannot be applied
 */
export function adjustInput(
  table: Table,
  adjustments: readonly Adjustment[],
  timestamp: string | null,
): Table {
  if (adjustments.length === 0) return table;
  const result = tryAdjustments(table, adjustments, timestamp);
  if (result.ok) return result.table;
  const { details } = result;
  throw new DomainError("validation_failed", details[0]?.message ?? "An adjustment cannot be applied.", {
    details,
  });
}
