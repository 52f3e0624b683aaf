import { and, eq, sql } from "drizzle-orm";
import { scenarios } from "#db/schema/scenarios";
import type { Scenario, UpdateScenario } from "#lib/contract/scenarios";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import type { ScenarioRef } from "./find-scenario.ts";
import { getScenario } from "./get-scenario.ts";
import { lockScenario } from "./lock-scenario.ts";

/**
 * Changes title, description, notes, tags and colour, and archives or restores the scenario. Omitted fields keep their values.
 *
 * @throws {DomainError} project_not_found, scenario_not_found, precondition_failed
 */
export async function updateScenario(
  ctx: Context,
  { projectId, scenarioId, ...body }: UpdateScenario & ScenarioRef,
): Promise<Scenario> {
  return ctx.db.transaction(async (tx) => {
    const { scenario } = await lockScenario(tx, { projectId, scenarioId });
    await requireIfMatch(ctx, () => getScenario({ db: tx }, { projectId, scenarioId }));
    const { title, description, notes, tags, color, archived } = body;
    await tx
      .update(scenarios)
      .set({ title, description, notes, tags, color, archived, updatedAt: sql`clock_timestamp()` })
      .where(and(eq(scenarios.projectId, projectId), eq(scenarios.id, scenario.id)));
    const changed = await getScenario({ db: tx }, { projectId, scenarioId });
    await recordChange(tx, ctx, "scenario.updated", {
      projectId,
      entityId: scenario.id,
      label: changed.title,
      changes: changesBetween(audited(scenario), audited(changed)),
    });
    return changed;
  });
}

type AuditedField = "title" | "description" | "notes" | "tags" | "color" | "archived";

/** Returns the fields that can change, for the audit log. */
function audited({ title, description, notes, tags, color, archived }: Pick<Scenario, AuditedField>) {
  return { title, description, notes, tags, color, archived };
}
