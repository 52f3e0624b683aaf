import { eq } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { checkpointDependencies } from "#db/schema/checkpoints";
import type { CheckpointDetail } from "#lib/contract/checkpoints";
import { findCheckpoint } from "./find-checkpoint.ts";
import { presentCheckpointDetail } from "./present.ts";
import { countScenariosUsing } from "./scenarios-using.ts";

/**
 * Returns a checkpoint with its details.
 *
 * @throws {DomainError} checkpoint_not_found
 */
export async function getCheckpoint(
  { db }: { db: Database | Transaction },
  wanted: { projectId: string; checkpointId: string },
): Promise<CheckpointDetail> {
  const row = await findCheckpoint(db, wanted);
  const usedByScenarios = await countScenariosUsing(db, row.id);
  const dependencies = await db
    .select()
    .from(checkpointDependencies)
    .where(eq(checkpointDependencies.checkpointId, row.id))
    // The order is fixed, because the entity tag is computed from the bytes of the response.
    .orderBy(checkpointDependencies.upstreamProjectId);
  return presentCheckpointDetail(row, {
    usedByScenarios,
    dependentProjectCheckpoints: Object.fromEntries(
      dependencies.map((one) => [one.upstreamProjectId, one.upstreamCheckpointId]),
    ),
  });
}
