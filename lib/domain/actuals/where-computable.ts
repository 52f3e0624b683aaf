import type { Table } from "#lib/contract/table";
import { GenerationImpossible } from "#lib/engine/forecasting/generation";
import { DomainError } from "#lib/platform/errors/domain-error";

/**
 * Returns the error as a reason if upstream features of the newer rows cannot be computed, because the request itself is
 * valid.
 */
export async function whereComputable(
  history: Promise<Table | null>,
): Promise<Table | null | { reason: string }> {
  try {
    return await history;
  } catch (error) {
    if (error instanceof DomainError || error instanceof GenerationImpossible)
      return { reason: error.message };
    throw error;
  }
}
