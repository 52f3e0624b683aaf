import type { Page, PageRequest } from "#db/page";
import type { Model } from "#lib/contract/models";
import type { Context } from "#lib/platform/context/context";
import { findCurrentModel, findModel, listModelRows } from "./find-model.ts";
import { presentModel } from "./present.ts";

/** Returns the project's models, newest first. */
export async function listModels(
  ctx: Context,
  wanted: PageRequest & { projectId: string },
): Promise<Page<Model>> {
  const { items, next } = await listModelRows(ctx.db, wanted);
  return { items: items.map(presentModel), next };
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
