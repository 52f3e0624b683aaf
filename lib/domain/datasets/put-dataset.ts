import type { PutDataset } from "#lib/contract/dataset-requests";
import type { Dataset, NumberFormat, NumberFormatRule } from "#lib/contract/datasets";
import { encodingNamed } from "#lib/engine/csv/encodings";
import { TIME_COLUMN } from "#lib/engine/csv/wide/long-rows";
import type { Context } from "#lib/platform/context/context";
import { csvError } from "./csv-error.ts";
import { runDatasetTask } from "./dataset-tasks.ts";
import { openSource } from "./file-source.ts";
import { rejectTooManyCells } from "./read-csv-file.ts";
import { readUpload } from "./read-upload.ts";
import { saveDataset } from "./save-dataset.ts";
import { checkColumnsExist, checkSettings, type DatasetSettings, valuesMaxOf } from "./settings.ts";

/**
 * Replaces the project's dataset with a file.
 *
 * @throws {DomainError} project_not_found, upload_not_found, validation_failed for settings or base64, input_invalid
 *   with the first 100 issues of the CSV, precondition_failed, service_unavailable
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
    uploadId,
    settings,
    change: "replaced",
    make: (artifactKey) => runDatasetTask("make", { settings, artifactKey }, work),
  });
  return saved!;
}

function settingsFrom(body: PutDataset): DatasetSettings {
  const { timestamp } = body;
  const shape = body.shape && { ...body.shape, valueName: body.shape.valueName ?? "value" };
  const wideTime = shape === undefined ? null : [TIME_COLUMN];
  return {
    target: body.target,
    timestampColumns: timestamp == null ? wideTime : typeof timestamp === "string" ? [timestamp] : timestamp,
    seriesColumns: body.series ?? null,
    exclude: body.exclude ?? [],
    categories: body.categories ?? [],
    timezone: body.timezone ?? "UTC",
    missing: body.missing ?? [],
    confirmed: body.confirmed ?? [],
    numberFormats: (body.numberFormats ?? []).map(withDefaults),
    dateOrder: body.dateOrder ?? null,
    calendar: body.calendar ?? null,
    resample: body.resample ?? null,
    reading: {
      timestampFormat: body.timestampFormat ?? null,
      columnFormats: body.columnFormats ?? {},
      skipRows: body.skipRows ?? [],
      ...(shape !== undefined && { shape }),
      ...(body.sheet !== undefined && { sheet: body.sheet }),
      ...(body.headerRow !== undefined && { headerRow: body.headerRow }),
      ...(body.encoding !== undefined && { encoding: encodingNamed(body.encoding) ?? body.encoding }),
    },
  };
}

function withDefaults({ column, unit, decimalMark, groupMark }: NumberFormat): NumberFormatRule {
  const mark = decimalMark ?? (groupMark === "." ? "," : ".");
  return { column, unit: unit ?? null, decimalMark: mark, groupMark: groupMark ?? null };
}

/** Rejects an invalid or too large upload by its profile, before the whole file is read. */
async function checkUpload(
  ctx: Context,
  projectId: string,
  uploadId: string,
  settings: DatasetSettings,
): Promise<void> {
  const { profile } = await readUpload(ctx.db, { projectId, uploadId });
  const { headerRow, encoding, shape, sheet } = settings.reading ?? {};
  const isReadAnew = [headerRow, encoding, shape, sheet].some((option) => option !== undefined);
  if (profile === null || isReadAnew || profile.headerRow !== undefined) return;
  if (profile.issues.length > 0)
    throw csvError({ issues: profile.issues, issueCount: profile.issues.length });
  checkColumnsExist(settings, profile);
  rejectTooManyCells(profile.lineCount * profile.header.length, valuesMaxOf(settings));
}
