import type { CorrectRows } from "#lib/contract/dataset-versions";
import type { Dataset } from "#lib/contract/datasets";
import type { Context } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { settingsOf } from "./current-dataset.ts";
import { runDatasetTask } from "./dataset-tasks.ts";
import { continueDataset } from "./save-dataset.ts";

/**
 * Corrects and deletes rows of the current version, as a new version. Row numbers are those of `versionId`, or of the version
 * that is current at first: if another request changes the dataset meanwhile, nothing is corrected.
 *
 * @throws {DomainError} project_not_found, dataset_not_found, input_invalid with every issue of the rows,
 *   precondition_failed, quota_exceeded
 */
export async function correctRows(
  ctx: Context,
  { projectId, versionId, ...correction }: CorrectRows & { projectId: string },
): Promise<Dataset> {
  let numbered = versionId ?? undefined;
  return continueDataset(ctx, projectId, (current) => {
    numbered ??= current.id;
    if (current.id !== numbered) throw rowsMoved(numbered);
    const settings = settingsOf(current);
    const { columns, warnings } = current.profile;
    const before = { parts: current.parts, header: columns.map(({ name }) => name), warnings };
    const work = { bytes: 16 * current.rowCount * columns.length, signal: ctx.signal };
    return {
      settings,
      change: "corrected",
      make: (artifactKey) => runDatasetTask("correct", { before, settings, artifactKey, correction }, work),
    };
  });
}

function rowsMoved(versionId: string) {
  const message =
    "The dataset has changed, so its rows may have other numbers than in this version. Read the rows again.";
  return issueError("precondition_failed", {
    field: "versionId",
    id: versionId,
    code: "rows_moved",
    message,
  });
}
