import type { Context } from "#lib/context/context";
import type { Dataset, PutDataset } from "#lib/contract/datasets";
import { csvRefusal } from "#lib/datasets/csv-refusal";
import { runDatasetTask } from "#lib/datasets/run-dataset-task";
import { openSource } from "./file-source.ts";
import { refuseTooMany } from "./read-dataset-file.ts";
import { readUpload } from "./read-upload.ts";
import { saveDataset } from "./save-dataset.ts";
import { checkColumnsExist, checkSettings, type DatasetSettings } from "./settings.ts";

/**
 * Makes a file the project's dataset, in place of the one before.
 *
 * @throws {DomainError} validation_failed for settings or base64, input_invalid for the CSV, with all faults found
 */
export async function putDataset(
  ctx: Context,
  { projectId, ...body }: PutDataset & { projectId: string },
): Promise<Dataset> {
  const settings = settingsFrom(body);
  checkSettings(settings);
  if (body.uploadId !== undefined) await checkUpload(ctx, projectId, body.uploadId, settings);
  const { fileData, uploadId } = body;
  const source = await openSource(ctx.db, { projectId, fileData, uploadId });
  const work = { ...source, signal: ctx.signal };
  const saved = await saveDataset(ctx, {
    projectId,
    fileName: body.fileName ?? null,
    settings,
    make: (artifactKey) => runDatasetTask("make", { settings, artifactKey }, work),
  });
  return saved!;
}

function settingsFrom(body: PutDataset): DatasetSettings {
  const { timestamp } = body;
  return {
    target: body.target,
    timestampColumns: timestamp == null ? null : typeof timestamp === "string" ? [timestamp] : timestamp,
    exclude: body.exclude ?? [],
    categories: body.categories ?? [],
    timezone: body.timezone ?? "UTC",
    missing: body.missing ?? [],
    dateOrder: null,
  };
}

/** Refuses by what is known of a large upload, before all of it is read. */
async function checkUpload(
  ctx: Context,
  projectId: string,
  uploadId: string,
  settings: DatasetSettings,
): Promise<void> {
  const { profile } = await readUpload(ctx.db, { projectId, uploadId });
  if (profile === null) return;
  if (profile.faults.length > 0)
    throw csvRefusal({ faults: profile.faults, faultCount: profile.faults.length });
  checkColumnsExist(settings, profile.header);
  refuseTooMany(profile.lineCount * profile.header.length);
}
