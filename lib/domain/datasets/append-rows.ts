import type { AppendRows } from "#lib/contract/dataset-requests";
import type { Dataset } from "#lib/contract/datasets";
import type { Context } from "#lib/platform/context/context";
import { settingsOf } from "./current-dataset.ts";
import { runDatasetTask } from "./dataset-tasks.ts";
import { openSource } from "./file-source.ts";
import { presentDataset } from "./present.ts";
import { continueDataset } from "./save-dataset.ts";

/**
 * Appends rows with the same columns to the project's dataset, in any order. Rows of a series must be later than its
 * last target. They replace planned rows of the same times.
 *
 * @throws {DomainError} project_not_found, dataset_not_found, upload_not_found, validation_failed for base64,
 *   input_invalid with the first 100 issues of the CSV and their number, precondition_failed
 */
export async function appendRows(
  ctx: Context,
  { projectId, ...body }: AppendRows & { projectId: string },
): Promise<Dataset> {
  const { bytes, open } = await openSource(ctx.db, { projectId, ...body });
  return continueDataset(ctx, projectId, (current) => {
    const settings = settingsOf(current);
    const { columns, warnings } = current.profile;
    const header = columns.map(({ name }) => name);
    const { lastTargetTimestamp } = presentDataset(current);
    const lastTimestamp = lastTargetTimestamp === null ? null : Date.parse(lastTargetTimestamp);
    const before = { parts: current.parts, header, warnings, lastTimestamp };
    const work = { bytes: bytes + 8 * current.rowCount * header.length, open, signal: ctx.signal };
    return {
      settings,
      change: "appended",
      // Without a name, the version keeps that of the former file.
      ...(body.fileName != null && { fileName: body.fileName }),
      uploadId: body.uploadId,
      make: (artifactKey) => runDatasetTask("append", { before, settings, artifactKey }, work),
    };
  });
}
