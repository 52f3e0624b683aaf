import { and, eq, isNull, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { scenarioOverrides } from "#db/schema/scenarios";
import { limits } from "#lib/contract/limits";
import type { CreateOverride, ScenarioOverride } from "#lib/contract/overrides";
import { actualsKnownUntil } from "#lib/domain/datasets/current-dataset";
import { requireReady, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { getScenario } from "#lib/domain/scenarios/get-scenario";
import { lockScenario } from "#lib/domain/scenarios/lock-scenario";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch, storeIdempotentResponse } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { newId } from "#lib/platform/ids/new-id";
import { auditedOverride } from "./audited-override.ts";
import { checkOverride } from "./check-override.ts";
import { findOverride } from "./find-override.ts";
import { storeEffectiveSummary } from "./store-effective-summary.ts";

/**
 * Overrides the predictions of a span. Later overrides apply to the result of earlier ones.
 *
 * @throws {DomainError} project_not_found, scenario_not_found, precondition_failed, scenario_not_ready, and validation_failed for an
 *   override that applies to no row and above the limit of active overrides
 */
export async function createOverride(
  ctx: Context,
  { projectId, scenarioId, ...body }: CreateOverride & ScenarioRef,
): Promise<ScenarioOverride> {
  return ctx.db.transaction(async (tx) => {
    const row = await lockScenario(tx, { projectId, scenarioId });
    await requireIfMatch(ctx, () => getScenario({ db: tx }, { projectId, scenarioId }));
    requireReady([row]);
    const { from, to, ...fields } = await checkOverride(tx, row, body);
    const slot = await freeSlot(tx, scenarioId);
    const overrideId = newId();
    await tx.insert(scenarioOverrides).values({
      id: overrideId,
      projectId,
      scenarioId,
      slot,
      ...fields,
      from: new Date(from),
      to: new Date(to),
      reason: body.reason,
      knownUntil: await actualsKnownUntil(tx, projectId),
      // The transaction may have waited for a lock: overrides apply in the order in which they got it.
      createdAt: sql`date_trunc('milliseconds', clock_timestamp())`,
      createdBy: ctx.actor.userId,
    });
    const override = await findOverride(tx, { projectId, scenarioId, overrideId });
    await storeEffectiveSummary(tx, row);
    await recordChange(tx, ctx, "scenario.override-added", {
      projectId,
      entityId: scenarioId,
      label: row.scenario.title,
      changes: changesBetween({}, auditedOverride(override)),
    });
    return storeIdempotentResponse(tx, ctx, override);
  });
}

/** Returns a free slot of the scenario, whose row is locked. @throws {DomainError} validation_failed */
async function freeSlot(tx: Transaction, scenarioId: string): Promise<number> {
  const rows = await tx
    .select({ slot: scenarioOverrides.slot })
    .from(scenarioOverrides)
    .where(and(eq(scenarioOverrides.scenarioId, scenarioId), isNull(scenarioOverrides.endedAt)));
  const taken = new Set(rows.map(({ slot }) => slot));
  for (let slot = 1; slot <= limits.overridesPerScenario; slot++) if (!taken.has(slot)) return slot;
  throw issueError("validation_failed", {
    code: "too_many_overrides",
    message: `The scenario already has ${limits.overridesPerScenario} active overrides. Remove one that is no longer needed.`,
  });
}
