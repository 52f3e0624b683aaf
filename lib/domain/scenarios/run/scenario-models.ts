import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { scenarioCheckpoints, type scenarios } from "#db/schema/scenarios";
import type { FeatureEngineering } from "#lib/contract/models";

export type ScenarioModels = {
  /** Project → folder of its model, for the scenario's own project and every upstream project. */
  folders: Map<string, string>;
  /** Whether later rows of the main model read its predictions of earlier rows. */
  buildOnEachOther: boolean;
  /** Whether the main model reads known values of its target. */
  readsTarget: boolean;
};

/** Returns the models of the checkpoints that a scenario uses; null if its own checkpoint was removed. */
export async function scenarioModels(
  db: Database,
  { id, projectId, checkpointId }: Pick<typeof scenarios.$inferSelect, "id" | "projectId" | "checkpointId">,
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
  return {
    folders: new Map([
      ...upstreams.map((one): [string, string] => [one.projectId, one.artifactKey]),
      [projectId, main.artifactKey],
    ]),
    ...lookingBack(main.featureEngineering),
  };
}

/** Returns how a model looks back. Older models are recognised by their steps. */
function lookingBack({ steps, rowsBuildOnEachOther, readsTarget }: FeatureEngineering) {
  const hasLags = steps.some(({ op }) => op === "lag" || op === "rolling" || op === "difference");
  const buildOnEachOther = rowsBuildOnEachOther ?? hasLags;
  return { buildOnEachOther, readsTarget: readsTarget ?? buildOnEachOther };
}
