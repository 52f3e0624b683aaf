import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { scenarios } from "#db/schema/scenarios";
import { findScenario, type ScenarioRef, type ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { summarizeEffective } from "#lib/domain/scenarios/panel/summarize-effective";
import { selectOverrides } from "#lib/domain/scenarios/select-overrides";

/**
 * Stores the summary of a scenario with its active overrides, or none without them. Every transaction that changes the overrides or the
 * predictions of a scenario calls it, after it has locked the scenario.
 */
export async function storeEffectiveSummary(tx: Transaction, { scenario }: ScenarioRow): Promise<void> {
  const { id, projectId, summary, calculatedSummary = summary } = scenario;
  const overrides = (await selectOverrides(tx, [id])).get(id) ?? [];
  const effectiveSummary =
    overrides.length === 0 || calculatedSummary === null
      ? null
      : await summarizeEffective(tx, { ...scenario, overrides }, calculatedSummary);
  await tx
    .update(scenarios)
    .set({ effectiveSummary })
    .where(and(eq(scenarios.projectId, projectId), eq(scenarios.id, id)));
}

/** Stores this summary of a scenario that shows another run from now on, in the transaction that completes the run. */
export async function refreshEffectiveSummary(tx: Transaction, ids: ScenarioRef): Promise<void> {
  const overrides = await selectOverrides(tx, [ids.scenarioId]);
  if (overrides.size > 0) await storeEffectiveSummary(tx, await findScenario(tx, ids));
}
