import type { Dataset } from "#lib/contract/datasets";
import type { Context } from "#lib/platform/context/context";
import { requireDataset } from "./current-dataset.ts";
import { presentDataset } from "./present.ts";

/** @throws {DomainError} dataset_not_found if the project has no dataset */
export async function getDataset(ctx: Context, { projectId }: { projectId: string }): Promise<Dataset> {
  return presentDataset(await requireDataset(ctx.db, projectId));
}
