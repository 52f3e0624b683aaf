import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import type { ScenarioRow } from "#lib/domain/scenarios/select-scenarios";
import { describedLookBack } from "#lib/engine/inference/look-back";
import { standardError } from "#lib/platform/errors/standard-error";

export type ScenarioModels = {
  /** Project → folder of its model, for the scenario's own project and every upstream project. */
  folders: Map<string, string>;
  /** Whether later rows of the main model read its predictions of earlier rows. */
  rowsBuildOnEachOther: boolean;
  /** Whether the main model reads known values of its target. */
  readsTarget: boolean;
};

/** A scenario with the checkpoints that one of its runs uses. */
type UsedCheckpoints = Pick<ScenarioRow, "pinned" | "released"> & {
  scenario: Pick<ScenarioRow["scenario"], "id" | "projectId" | "checkpointId">;
};

/**
 * Returns the models of the checkpoints that a completed run uses.
 *
 * @throws {DomainError} checkpoint_not_found if a checkpoint of an earlier run was deleted; scenario_not_found for the run that
 *   completed last: its checkpoints cannot be deleted, so the scenario was deleted during the request
 */
export async function requireScenarioModels(db: Database, row: UsedCheckpoints): Promise<ScenarioModels> {
  const models = await scenarioModels(db, row);
  if (models === null)
    throw standardError(row.released === null ? "scenario_not_found" : "checkpoint_not_found");
  return models;
}

/** Returns the models of the checkpoints that a run uses; null if one of them was removed. */
export async function scenarioModels(
  db: Database,
  { scenario: { id, projectId, checkpointId }, pinned }: UsedCheckpoints,
): Promise<ScenarioModels | null> {
  if (checkpointId === null) throw new Error(`Scenario ${id} has no checkpoint`);
  const ids = [checkpointId, ...pinned.flatMap((one) => one.checkpointId ?? [])];
  const rows = await db
    .select({
      id: checkpoints.id,
      projectId: checkpoints.projectId,
      artifactKey: checkpoints.artifactKey,
      featureEngineering: checkpoints.featureEngineering,
    })
    .from(checkpoints)
    .where(and(inArray(checkpoints.id, ids), eq(checkpoints.state, "ready")));
  const main = rows.find((row) => row.id === checkpointId);
  if (main === undefined || rows.length < ids.length) return null;
  const { readsTarget, rowsBuildOnEachOther } = describedLookBack(main.featureEngineering);
  return {
    folders: new Map([
      ...rows.map((one): [string, string] => [one.projectId, one.artifactKey]),
      [projectId, main.artifactKey],
    ]),
    rowsBuildOnEachOther: rowsBuildOnEachOther,
    readsTarget,
  };
}
