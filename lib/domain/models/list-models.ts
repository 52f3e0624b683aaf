import { and, eq } from "drizzle-orm";
import { type Page, type PageRequest, Paging } from "#db/page";
import { models } from "#db/schema/models";
import { projects } from "#db/schema/projects";
import type { Model } from "#lib/contract/models";
import type { Context } from "#lib/platform/context/context";
import { findCurrentModel, findModel } from "./find-model.ts";
import { presentModel } from "./present.ts";

/** Returns the project's models, newest first. */
export async function listModels(
  ctx: Context,
  { projectId, ...request }: PageRequest & { projectId: string },
): Promise<Page<Model>> {
  const paging = new Paging([models.createdAt, models.id], request);
  const rows = await ctx.db
    .select({ model: models, currentModelId: projects.currentModelId, position: paging.position })
    .from(models)
    .innerJoin(projects, eq(projects.id, models.projectId))
    .where(and(eq(models.projectId, projectId), paging.where))
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, ({ model, currentModelId }) =>
    presentModel({ ...model, isCurrent: model.id === currentModelId }),
  );
}

/** @throws {DomainError} model_not_found */
export async function getModel(
  ctx: Context,
  { projectId, modelId }: { projectId: string; modelId: string },
): Promise<Model> {
  return presentModel(await findModel(ctx.db, { projectId, modelId }));
}

/** @throws {DomainError} model_not_found */
export async function getCurrentModel(ctx: Context, { projectId }: { projectId: string }): Promise<Model> {
  return presentModel(await findCurrentModel(ctx.db, projectId));
}
