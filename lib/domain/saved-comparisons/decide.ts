import type { Queryable } from "#db/client";
import type { Decision } from "#lib/contract/saved-comparisons";
import { findScenario, requireReady } from "#lib/domain/scenarios/find-scenario";
import type { Context } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";

const field = "decision.scenarioId";

/**
 * Returns a decision for a scenario, with what the scenario predicts now. Later runs and overrides do not change it.
 *
 * @param among IDs of the compared scenarios
 * @throws {DomainError} validation_failed for another scenario; scenario_not_ready without predictions
 */
export async function decide(
  db: Queryable,
  { actor }: Pick<Context, "actor">,
  {
    projectId,
    scenarioId,
    reason,
    among,
  }: { projectId: string; scenarioId: string; reason: string; among: readonly string[] },
): Promise<Decision> {
  if (!among.includes(scenarioId)) {
    const message = "The comparison does not have this scenario. Choose one of its scenarios.";
    throw issueError("validation_failed", { field, code: "not_compared", message });
  }
  const row = await findScenario(db, { projectId, scenarioId, field });
  requireReady([row], field);
  const { title, runId, firstTimestamp, lastTimestamp, rowCount, summary } = row.scenario;
  return {
    scenarioId,
    scenarioTitle: title,
    runId,
    reason,
    from: firstTimestamp?.toISOString() ?? null,
    to: lastTimestamp?.toISOString() ?? null,
    rows: rowCount ?? 0,
    total: summary?.sum ?? null,
    lower: summary?.sumInterval?.lower ?? null,
    upper: summary?.sumInterval?.upper ?? null,
    decidedAt: new Date().toISOString(),
    decidedBy: actor.userId,
  };
}
