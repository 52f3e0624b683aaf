import { and, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { comparisonScenarios, comparisons } from "#db/schema/comparisons";
import { scenarios } from "#db/schema/scenarios";
import type { SavedComparison, UpdateComparison } from "#lib/contract/saved-comparisons";
import { lockProject } from "#lib/domain/projects/lock-project";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { decide } from "./decide.ts";
import { findComparison } from "./find-comparison.ts";
import { storeScenarios } from "./store-scenarios.ts";

/**
 * Changes the name, replaces the scenarios, or records a decision. Omitted fields keep their values.
 *
 * @throws {DomainError} project_not_found, comparison_not_found, scenario_not_found; scenario_not_ready and validation_failed for a
 *   decision for a scenario without predictions, and for one that the comparison does not have
 */
export async function updateComparison(
  ctx: Context,
  {
    projectId,
    comparisonId,
    name,
    scenarioIds,
    decision,
  }: UpdateComparison & { projectId: string; comparisonId: string },
): Promise<SavedComparison> {
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, projectId);
    const before = await findComparison(tx, { projectId, comparisonId });
    await requireIfMatch(ctx, async () => before);
    await tx
      .update(comparisons)
      .set({
        name: name ?? before.name,
        ...(decision !== undefined && {
          decision:
            decision &&
            (await decide(tx, ctx, { ...decision, projectId, among: scenarioIds ?? before.scenarioIds })),
        }),
        updatedAt: sql`clock_timestamp()`,
      })
      .where(and(eq(comparisons.projectId, projectId), eq(comparisons.id, comparisonId)));
    if (scenarioIds !== undefined) {
      await tx.delete(comparisonScenarios).where(eq(comparisonScenarios.comparisonId, comparisonId));
      await storeScenarios(tx, { projectId, comparisonId, scenarioIds });
    }
    const changed = await findComparison(tx, { projectId, comparisonId });
    await recordChange(tx, ctx, "comparison.updated", {
      projectId,
      entityId: comparisonId,
      label: changed.name,
      changes: changesBetween(await audited(tx, before), await audited(tx, changed)),
    });
    return changed;
  });
}

/** Returns a comparison as the audit log shows it, with titles in place of IDs. */
async function audited(tx: Transaction, { name, scenarioIds, decision }: SavedComparison) {
  const rows = await tx
    .select({ id: scenarios.id, title: scenarios.title })
    .from(scenarios)
    .where(inArray(scenarios.id, scenarioIds));
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  const { scenarioTitle: scenario, reason, total, lower, upper } = decision ?? {};
  return {
    name,
    scenarios: scenarioIds.map((id) => titles.get(id)),
    decision: { scenario, reason, total, lower, upper },
  };
}
