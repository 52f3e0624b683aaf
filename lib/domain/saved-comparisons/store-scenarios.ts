import type { Transaction } from "#db/client";
import { comparisonScenarios } from "#db/schema/comparisons";
import { findScenarios } from "#lib/domain/scenarios/find-scenario";

/**
 * Stores the scenarios of a comparison in order. The caller has locked the project, so none of them is deleted meanwhile.
 *
 * @throws {DomainError} scenario_not_found with every ID that does not exist
 */
export async function storeScenarios(
  tx: Transaction,
  {
    projectId,
    comparisonId,
    scenarioIds,
  }: { projectId: string; comparisonId: string; scenarioIds: readonly string[] },
): Promise<void> {
  await findScenarios(tx, { projectId, scenarioIds, field: "scenarioIds" });
  await tx
    .insert(comparisonScenarios)
    .values(scenarioIds.map((scenarioId, position) => ({ projectId, comparisonId, position, scenarioId })));
}
