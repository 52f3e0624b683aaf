import { eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { checkpointDependencies } from "#db/schema/checkpoints";
import { findCheckpoint } from "#lib/checkpoints/find-checkpoint";
import { standardError } from "#lib/errors/standard-error";
import { type ServingModel, servingModel } from "#lib/models/serving-model";
import { AskedTogether } from "#lib/turns/asked-together";

const shared = globalThis as typeof globalThis & {
  modelsAskedFor?: WeakMap<Database, AskedTogether<ServingModel>>;
};

/**
 * As `findModel`; calls at the same time share a look into the database, each one that began after it came.
 *
 * @throws {DomainError} checkpoint_not_found, no_trained_model
 */
export function chooseModel(
  db: Database,
  wanted: { projectId: string; checkpointId: string | null },
): Promise<ServingModel> {
  shared.modelsAskedFor ??= new WeakMap();
  let together = shared.modelsAskedFor.get(db);
  if (together === undefined) {
    together = new AskedTogether();
    shared.modelsAskedFor.set(db, together);
  }
  return together.ask(`${wanted.projectId} ${wanted.checkpointId}`, () => findModel(db, wanted));
}

/**
 * Contract, section 7: "Model: that checkpoint; else the default; else the current trained model; else 400
 * `no_trained_model`."
 *
 * @throws {DomainError} checkpoint_not_found, no_trained_model
 */
async function findModel(
  db: Database,
  { projectId, checkpointId }: { projectId: string; checkpointId: string | null },
): Promise<ServingModel> {
  if (checkpointId !== null) {
    const { id, modelId, modelName, target, artifactKey, sha256 } = await findCheckpoint(db, {
      projectId,
      checkpointId: checkpointId.toLowerCase(),
      field: "checkpointId",
    });
    return { checkpointId: id, modelId, modelName, target, artifactKey, sha256 };
  }
  const serving = await servingModel(db, projectId);
  if (serving === null) throw standardError("no_trained_model", { id: projectId });
  return serving;
}

/** The checkpoints of upstream projects that a checkpoint was made with. */
export async function pinnedUpstream(db: Database, checkpointId: string): Promise<string[]> {
  const rows = await db
    .select({ id: checkpointDependencies.upstreamCheckpointId })
    .from(checkpointDependencies)
    .where(eq(checkpointDependencies.checkpointId, checkpointId));
  return rows.map(({ id }) => id);
}
