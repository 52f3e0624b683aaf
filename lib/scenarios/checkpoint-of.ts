import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { standardError } from "#lib/errors/standard-error";
import type { ScenarioRow } from "./queries.ts";

/**
 * The checkpoint of a scenario that has predictions: its folder, and what it makes of its input.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function checkpointOf(db: Database, projectId: string, { scenario }: ScenarioRow) {
  const [checkpoint] = await db
    .select({ artifactKey: checkpoints.artifactKey, featureEngineering: checkpoints.featureEngineering })
    .from(checkpoints)
    .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.id, scenario.checkpointId!)));
  // It was there a moment ago: a checkpoint goes only after its scenarios.
  if (checkpoint === undefined) throw standardError("scenario_not_found");
  return checkpoint;
}
