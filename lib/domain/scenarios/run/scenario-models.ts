import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { scenarioCheckpoints, type scenarios } from "#db/schema/scenarios";
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

type UsedCheckpoints = Pick<typeof scenarios.$inferSelect, "id" | "projectId" | "checkpointId">;

/**
 * Returns the models of the checkpoints that a completed scenario uses.
 *
 * @throws {DomainError} scenario_not_found if the checkpoint was removed: a checkpoint in use cannot be deleted, so the
 *   scenario was deleted during the request
 */
export async function requireScenarioModels(
  db: Database,
  scenario: UsedCheckpoints,
): Promise<ScenarioModels> {
  const models = await scenarioModels(db, scenario);
  if (models === null) throw standardError("scenario_not_found");
  return models;
}

/** Returns the models of the checkpoints that a scenario uses; null if its own checkpoint was removed. */
export async function scenarioModels(
  db: Database,
  { id, projectId, checkpointId }: UsedCheckpoints,
): Promise<ScenarioModels | null> {
  if (checkpointId === null) throw new Error(`Scenario ${id} has no checkpoint`);
  const [main] = await db
    .select({ artifactKey: checkpoints.artifactKey, featureEngineering: checkpoints.featureEngineering })
    .from(checkpoints)
    .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.id, checkpointId)));
  if (main === undefined) return null;
  const upstreams = await db
    .select({ projectId: checkpoints.projectId, artifactKey: checkpoints.artifactKey })
    .from(scenarioCheckpoints)
    .innerJoin(checkpoints, eq(checkpoints.id, scenarioCheckpoints.checkpointId))
    .where(eq(scenarioCheckpoints.scenarioId, id));
  const { readsTarget, rowsBuildOnEachOther } = describedLookBack(main.featureEngineering);
  return {
    folders: new Map([
      ...upstreams.map((one): [string, string] => [one.projectId, one.artifactKey]),
      [projectId, main.artifactKey],
    ]),
    rowsBuildOnEachOther: rowsBuildOnEachOther,
    readsTarget,
  };
}
