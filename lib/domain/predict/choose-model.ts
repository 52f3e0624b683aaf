import type { Database } from "#db/client";
import { findCheckpoint } from "#lib/domain/checkpoints/find-checkpoint";
import { leasedServingModel } from "#lib/domain/models/serving-leases";
import type { ServingModel } from "#lib/domain/models/serving-model";
import { Leases, ValueLease } from "#lib/platform/concurrency/leases";
import { perDatabase } from "#lib/platform/database/per-database";
import { standardError } from "#lib/platform/errors/standard-error";

const namedCheckpoints = perDatabase("named checkpoints", () => new Leases<ServingModel>());

/**
 * Chooses the model that answers a prediction: the given checkpoint's, else the serving model. Concurrent calls share one
 * database query.
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
  const key = `${projectId} ${checkpointId}`;
  return namedCheckpoints(db).use(key, async ({ requestedMs }) => {
    const model = await checkpointModel(db, projectId, checkpointId);
    return new ValueLease(model, requestedMs, 0);
  });
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
