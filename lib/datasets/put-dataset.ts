import type { Context } from "#lib/context/context";
import type { Dataset, PutDataset } from "#lib/contract/datasets";
import { DomainError } from "#lib/errors/domain-error";
import { buildDataset } from "./build-dataset.ts";
import { csvRefusal } from "./csv-refusal.ts";
import { openSource } from "./file-source.ts";
import { readDatasetFile } from "./read-dataset-file.ts";
import { readUpload } from "./read-upload.ts";
import { saveDataset } from "./save-dataset.ts";
import { checkColumnsExist, checkSettings, csvOptionsOf, type DatasetSettings } from "./settings.ts";

/** Cells of a dataset, 8 bytes each while it is read. */
const CELLS_MAX = 50_000_000;

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
  const file = await readDatasetFile(source, csvOptionsOf(settings), settings.exclude);
  if (file.header.length > 0) checkColumnsExist(settings, file.header);
  const built = buildDataset(file, settings);
  const saved = await saveDataset(ctx, {
    projectId,
    fileName: body.fileName ?? null,
    settings: { ...settings, dateOrder: file.times?.dateOrder ?? null },
    built,
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
  const cells = profile.lineCount * profile.header.length;
  if (cells > CELLS_MAX) {
    const message = `The file has about ${cells} cells; a dataset may have ${CELLS_MAX}. Leave out columns or rows.`;
    throw new DomainError("input_invalid", message, { details: [{ code: "too_many_cells", message }] });
  }
}
