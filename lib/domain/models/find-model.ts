import { and, desc, eq, lt, or } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { models } from "#db/schema/models";
import { projects } from "#db/schema/projects";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";

export type ModelRow = typeof models.$inferSelect & { isCurrent: boolean };

/** @throws {DomainError} model_not_found, also for another project's model */
export async function findModel(
  db: Queryable,
  { projectId, modelId }: { projectId: string; modelId: string },
): Promise<ModelRow> {
  const [row] = await db
    .select({ model: models, currentModelId: projects.currentModelId })
    .from(models)
    .innerJoin(projects, eq(projects.id, models.projectId))
    .where(and(eq(models.projectId, projectId), eq(models.id, modelId)));
  if (!row) throw standardError("model_not_found");
  return { ...row.model, isCurrent: row.model.id === row.currentModelId };
}

/** Returns the previous model of the project, or null for the first one. */
export async function findModelBefore(
  db: Queryable,
  { projectId, createdAt, id }: ModelRow,
): Promise<ModelRow | null> {
  const earlier = or(
    lt(models.createdAt, createdAt),
    and(eq(models.createdAt, createdAt), lt(models.id, id)),
  );
  const [row] = await db
    .select()
    .from(models)
    .where(and(eq(models.projectId, projectId), earlier))
    .orderBy(desc(models.createdAt), desc(models.id))
    .limit(1);
  return row === undefined ? null : { ...row, isCurrent: false };
}

/** @throws {DomainError} model_not_found if the project has no model */
export async function findCurrentModel(db: Queryable, projectId: string): Promise<ModelRow> {
  const [row] = await db
    .select({ model: models })
    .from(projects)
    .innerJoin(models, eq(models.id, projects.currentModelId))
    .where(eq(projects.id, projectId));
  if (!row) throw new DomainError("model_not_found", "The project has no model yet. Train or import one.");
  return { ...row.model, isCurrent: true };
}
