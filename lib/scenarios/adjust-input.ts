import type { Adjustment } from "#lib/contract/scenarios";
import type { Table } from "#lib/contract/table";
import { DomainError } from "#lib/errors/domain-error";
import { applyAdjustments } from "#lib/ml/model/adjust";
import { instantOf } from "./rules.ts";

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
  const result = applyAdjustments(
    table,
    adjustments.map(({ from, to, ...rest }) => ({
      ...rest,
      from: from === undefined ? undefined : instantOf(from),
      to: to === undefined ? undefined : instantOf(to),
    })),
    timestamp,
  );
  if (result.ok) return result.table;
  throw new DomainError(
    "validation_failed",
    result.faults[0]?.message ?? "An adjustment cannot be applied.",
    {
      details: result.faults.map(({ adjustment, code, message }) => ({
        field: `adjustments.${adjustment}`,
        code,
        message,
      })),
    },
  );
}
