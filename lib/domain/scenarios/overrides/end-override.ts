import { and, eq, sql } from "drizzle-orm";
import { scenarioOverrides } from "#db/schema/scenarios";
import type { ScenarioOverride } from "#lib/contract/overrides";
import { actualsKnownUntil } from "#lib/domain/datasets/current-dataset";
import { lockScenario } from "#lib/domain/scenarios/lock-scenario";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { auditedOverride } from "./audited-override.ts";
import { findOverride, type OverrideRef } from "./find-override.ts";
import { storeEffectiveSummary } from "./store-effective-summary.ts";

/**
 * Ends an override and returns it. It stays in the audit log, and in reads as of an earlier time.
 *
 * @throws {DomainError} project_not_found, scenario_not_found, override_not_found, precondition_failed
 */
export async function endOverride(ctx: Context, ids: OverrideRef): Promise<ScenarioOverride> {
  const { projectId, scenarioId, overrideId } = ids;
  return ctx.db.transaction(async (tx) => {
    const row = await lockScenario(tx, ids);
    const override = await findOverride(tx, ids);
    await requireIfMatch(ctx, async () => override);
    await tx
      .update(scenarioOverrides)
      .set({
        endedAt: sql`date_trunc('milliseconds', clock_timestamp())`,
        endedBy: ctx.actor.userId,
        endedKnownUntil: await actualsKnownUntil(tx, projectId),
      })
      .where(and(eq(scenarioOverrides.projectId, projectId), eq(scenarioOverrides.id, overrideId)));
    await storeEffectiveSummary(tx, row);
    await recordChange(tx, ctx, "scenario.override-ended", {
      projectId,
      entityId: scenarioId,
      label: row.scenario.title,
      changes: changesBetween(auditedOverride(override), { override: emptied }),
    });
    return override;
  });
}

/** Names the fields, because only those of the later state are compared. */
const emptied = { id: null, from: null, to: null, operation: null, value: null, reason: null, where: null };
