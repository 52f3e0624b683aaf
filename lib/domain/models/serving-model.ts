import { and, eq, type Placeholder, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { models } from "#db/schema/models";
import { projects } from "#db/schema/projects";

/** A model that can be opened: a checkpoint's, or the current model of a project without checkpoints. */
export type ServingModel = {
  checkpointId: string | null;
  /** Row of the trained or imported model; null if the checkpoint has outlived it. */
  modelId: string | null;
  modelName: string;
  target: string;
  artifactKey: string;
  sha256: string;
};

/** Returns the project's serving model: the default checkpoint, else the current model, else null. */
export async function servingModel(db: Queryable, projectId: string): Promise<ServingModel | null> {
  const [row] = await selectServing(db, projectId);
  return row === undefined ? null : servingOf(row);
}

/**
 * Selects the serving model; frequent callers prepare the query once. `mayChange`: whether a change is announced, so
 * the model may change at any moment.
 */
export const selectServing = (db: Queryable, projectId: string | Placeholder) =>
  db
    .select({
      mayChange: sql<boolean>`coalesce(${projects.servingChangesUntil} > clock_timestamp(), false)`,
      checkpoint: {
        checkpointId: checkpoints.id,
        modelId: checkpoints.modelId,
        modelName: checkpoints.modelName,
        target: checkpoints.target,
        artifactKey: checkpoints.artifactKey,
        sha256: checkpoints.sha256,
      },
      model: {
        modelId: models.id,
        modelName: models.modelName,
        target: models.target,
        artifactKey: models.artifactKey,
        sha256: models.sha256,
      },
    })
    .from(projects)
    .leftJoin(checkpoints, and(eq(checkpoints.projectId, projects.id), eq(checkpoints.isDefault, true)))
    .leftJoin(models, eq(models.id, projects.currentModelId))
    .where(eq(projects.id, projectId));

type FoundServing = Awaited<ReturnType<typeof selectServing>>[number];

export function servingOf({ checkpoint, model }: FoundServing): ServingModel | null {
  return checkpoint ?? (model ? { checkpointId: null, ...model } : null);
}
