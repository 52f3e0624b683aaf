import type { CorrectRows } from "#lib/contract/dataset-versions";
import type { Dataset } from "#lib/contract/datasets";
import type { Context } from "#lib/platform/context/context";
import { settingsOf } from "./current-dataset.ts";
import { runDatasetTask } from "./dataset-tasks.ts";
import { continueDataset } from "./save-dataset.ts";

/**
 * Corrects and deletes rows of the current version, as a new version.
 *
 * @throws {DomainError} project_not_found, dataset_not_found, input_invalid with every issue of the rows,
 *   precondition_failed, quota_exceeded
 */
export async function correctRows(
  ctx: Context,
  { projectId, ...correction }: CorrectRows & { projectId: string },
): Promise<Dataset> {
  return continueDataset(ctx, projectId, (current) => {
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
