import type { Queryable } from "#db/client";
import type { CheckpointDetail } from "#lib/contract/checkpoints";
import { type CheckpointRef, findCheckpoint, upstreamCheckpointsOf } from "./find-checkpoint.ts";
import { presentCheckpointDetail } from "./present.ts";
import { countScenariosUsing } from "./scenarios-using.ts";

/**
 * Returns a checkpoint with its details.
 *
 * @throws {DomainError} checkpoint_not_found
 */
export async function getCheckpoint(
  { db }: { db: Queryable },
  ref: CheckpointRef,
): Promise<CheckpointDetail> {
  const row = await findCheckpoint(db, ref);
  const usedByScenarios = await countScenariosUsing(db, row.id);
  const dependentProjectCheckpoints = await upstreamCheckpointsOf(db, row.id);
  return presentCheckpointDetail(row, { usedByScenarios, dependentProjectCheckpoints });
}
