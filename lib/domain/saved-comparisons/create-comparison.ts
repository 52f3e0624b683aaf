import { asc, eq } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { comparisons } from "#db/schema/comparisons";
import { limits } from "#lib/contract/limits";
import type { CreateComparison, SavedComparison } from "#lib/contract/saved-comparisons";
import { lockProject } from "#lib/domain/projects/lock-project";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";
import { newId } from "#lib/platform/ids/new-id";
import { findComparison } from "./find-comparison.ts";
import { storeScenarios } from "./store-scenarios.ts";

/**
 * Saves a comparison of scenarios. Their predictions need not exist yet.
 *
 * @throws {DomainError} project_not_found, scenario_not_found, comparison_limit_reached
 */
export async function createComparison(
  ctx: Context,
  { projectId, name, scenarioIds }: CreateComparison & { projectId: string },
): Promise<SavedComparison> {
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, projectId);
    const comparisonId = newId();
    const slot = await freeSlot(tx, projectId);
    await tx
      .insert(comparisons)
      .values({ id: comparisonId, projectId, slot, name, createdBy: ctx.actor.userId });
    await storeScenarios(tx, { projectId, comparisonId, scenarioIds });
    await recordChange(tx, ctx, "comparison.created", { projectId, entityId: comparisonId, label: name });
    return storeIdempotentResponse(tx, ctx, await findComparison(tx, { projectId, comparisonId }));
  });
}

/** Returns a free slot of the project, whose row is locked. */
async function freeSlot(tx: Transaction, projectId: string): Promise<number> {
  const rows = await tx
    .select({ slot: comparisons.slot })
    .from(comparisons)
    .where(eq(comparisons.projectId, projectId))
    .orderBy(asc(comparisons.slot));
  const gap = rows.findIndex(({ slot }, index) => slot !== index + 1);
  if (gap >= 0) return gap + 1;
  if (rows.length < limits.comparisonsPerProject) return rows.length + 1;
  throw standardError("comparison_limit_reached");
}
