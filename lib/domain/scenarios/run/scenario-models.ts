import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { scenarioCheckpoints, type scenarios } from "#db/schema/scenarios";
import { looksBack } from "#lib/scenarios/models/looks-back";

export type ScenarioModels = {
  /** Project → folder of the model that predicts for it: of the scenario's own project and of every dependent one. */
  folders: Map<string, string>;
  /** Whether the main model looks back at its target. */
  buildOnEachOther: boolean;
};

/** The models of the checkpoints that a scenario uses; null where its own is gone. */
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
  const dependents = await db
    .select({ projectId: checkpoints.projectId, artifactKey: checkpoints.artifactKey })
    .from(scenarioCheckpoints)
    .innerJoin(checkpoints, eq(checkpoints.id, scenarioCheckpoints.checkpointId))
    .where(eq(scenarioCheckpoints.scenarioId, id));
  return {
    folders: new Map([
      ...dependents.map((one): [string, string] => [one.projectId, one.artifactKey]),
      [projectId, main.artifactKey],
    ]),
    buildOnEachOther: looksBack(main.featureEngineering),
  };
}
