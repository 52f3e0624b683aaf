import { and, eq, sql } from "drizzle-orm";
import { scenarios } from "#db/schema/scenarios";
import type { Scenario, UpdateScenario } from "#lib/contract/scenarios";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { findScenario, type ScenarioRef } from "./find-scenario.ts";
import { lockScenario } from "./lock-scenario.ts";
import { presentScenario } from "./present.ts";

/**
 * Changes title, description, notes, tags and colour. Omitted fields keep their values.
 *
 * @throws {DomainError} project_not_found, scenario_not_found, precondition_failed
 */
export async function updateScenario(
  ctx: Context,
  { projectId, scenarioId, ...body }: UpdateScenario & ScenarioRef,
): Promise<Scenario> {
  return ctx.db.transaction(async (tx) => {
    const found = await lockScenario(tx, { projectId, scenarioId });
    await requireIfMatch(ctx, async () => presentScenario(found));
    const { scenario } = found;
    const { title, description, notes, tags, color } = body;
    await tx
      .update(scenarios)
      .set({ title, description, notes, tags, color, updatedAt: sql`clock_timestamp()` })
      .where(and(eq(scenarios.projectId, projectId), eq(scenarios.id, scenario.id)));
    const changed = await findScenario(tx, { projectId, scenarioId });
    await recordAudit(tx, ctx, "scenario.updated", {
      projectId,
      entityId: scenario.id,
      label: changed.scenario.title,
    });
    return presentScenario(changed);
  });
}
