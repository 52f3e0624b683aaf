import { and, eq } from "drizzle-orm";
import { comparisons } from "#db/schema/comparisons";
import type { SavedComparison } from "#lib/contract/saved-comparisons";
import { lockProject } from "#lib/domain/projects/lock-project";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { endSecretLinks } from "#lib/platform/links/secret-links";
import { findComparison } from "./find-comparison.ts";

/**
 * Deletes a saved comparison and returns it. Its scenarios stay.
 *
 * @throws {DomainError} project_not_found, comparison_not_found
 */
export async function deleteComparison(
  ctx: Context,
  ids: { projectId: string; comparisonId: string },
): Promise<SavedComparison> {
  const { projectId, comparisonId } = ids;
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, projectId);
    const comparison = await findComparison(tx, ids);
    await requireIfMatch(ctx, async () => comparison);
    await tx
      .delete(comparisons)
      .where(and(eq(comparisons.projectId, projectId), eq(comparisons.id, comparisonId)));
    await endSecretLinks(tx, comparisonId);
    await recordChange(tx, ctx, "comparison.deleted", {
      projectId,
      entityId: comparisonId,
      label: comparison.name,
    });
    return comparison;
  });
}
