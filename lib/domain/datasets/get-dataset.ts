import type { Dataset } from "#lib/contract/datasets";
import type { Context } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";
import { currentDataset } from "./current-dataset.ts";
import { presentDataset } from "./present.ts";

/** @throws {DomainError} dataset_not_found if the project has no dataset */
export async function getDataset(ctx: Context, { projectId }: { projectId: string }): Promise<Dataset> {
  const row = await currentDataset(ctx.db, projectId);
  if (row === null) throw standardError("dataset_not_found");
  return presentDataset(row);
}
