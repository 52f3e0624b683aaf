import { eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { checkpointDependencies } from "#db/schema/checkpoints";
import { findCheckpoint } from "#lib/domain/checkpoints/find-checkpoint";
import type { ServingModel } from "#lib/domain/models/serving-model";
import { leasedServingModel } from "#lib/models/serving-leases";
import { AskedTogether } from "#lib/platform/concurrency/single-flight";
import { standardError } from "#lib/platform/errors/standard-error";

const shared = globalThis as typeof globalThis & {
  checkpointsAskedFor?: WeakMap<Database, AskedTogether<ServingModel>>;
};

/**
 * Contract, section 7: "Model: that checkpoint; else the default; else the current trained model; else 400
 * `no_trained_model`." Calls at the same time share a look into the database.
 *
 * @throws {DomainError} checkpoint_not_found, no_trained_model
 */
export async function chooseModel(
  db: Database,
  { projectId, checkpointId }: { projectId: string; checkpointId: string | null },
): Promise<ServingModel> {
  if (checkpointId === null) {
    const serving = await leasedServingModel(db, projectId);
    if (serving === null) throw standardError("no_trained_model", { id: projectId });
    return serving;
  }
  shared.checkpointsAskedFor ??= new WeakMap();
  let together = shared.checkpointsAskedFor.get(db);
  if (together === undefined) {
    together = new AskedTogether();
    shared.checkpointsAskedFor.set(db, together);
  }
  return together.ask(`${projectId} ${checkpointId}`, () => checkpointModel(db, projectId, checkpointId));
}

/** @throws {DomainError} checkpoint_not_found */
async function checkpointModel(db: Database, projectId: string, checkpointId: string): Promise<ServingModel> {
  const { id, modelId, modelName, target, artifactKey, sha256 } = await findCheckpoint(db, {
    projectId,
    checkpointId: checkpointId.toLowerCase(),
    field: "checkpointId",
  });
  return { checkpointId: id, modelId, modelName, target, artifactKey, sha256 };
}

/** The checkpoints of upstream projects that a checkpoint was made with. */
export async function pinnedUpstream(db: Database, checkpointId: string): Promise<string[]> {
  const rows = await db
    .select({ id: checkpointDependencies.upstreamCheckpointId })
    .from(checkpointDependencies)
    .where(eq(checkpointDependencies.checkpointId, checkpointId));
  return rows.map(({ id }) => id);
}
