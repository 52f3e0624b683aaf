import type { Database } from "#db/client";
import type { Warning } from "#lib/contract/warnings";
import { checkColumns } from "#lib/domain/datasets/profile-tasks";
import { rejectTooManyRows } from "#lib/domain/datasets/read-csv-file";
import { readUpload } from "#lib/domain/datasets/read-upload";
import type { ColumnsCheck } from "#lib/domain/datasets/sample-columns";
import type { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { issueError } from "#lib/platform/errors/domain-error";
import { columnsToRead, givenUpstream, rowsMaxOf } from "./run/read-csv.ts";

/**
 * Checks the columns of an upload and their types by its first rows, as the input of a project's model. The job checks
 * each row.
 *
 * @throws {DomainError} upload_not_found; validation_failed if the upload is no table; input_invalid for more
 *   rows than a scenario allows
 */
export async function checkUpload(
  db: Database,
  series: LinkedSeries,
  { projectId, uploadId, signal }: { projectId: string; uploadId: string; signal: AbortSignal | undefined },
): Promise<Omit<ColumnsCheck, "warnings"> & { warnings: Warning[] }> {
  const { bytes, profile, open } = await readUpload(db, { projectId, uploadId });
  if (profile === null) throw notTableError(uploadId);
  const { model } = await series.project(projectId);
  const { features, format } = await columnsToRead(series, projectId);
  const { lineCount } = profile;
  const check = await checkColumns({ bytes, lineCount, features, format, open }, signal);
  rejectTooManyRows(check.lineCount, rowsMaxOf(model));
  const given = givenUpstream(model, { columns: check.header, rowCount: check.lineCount });
  return { ...check, warnings: [...check.warnings, ...given] };
}

function notTableError(uploadId: string) {
  const message =
    "The upload is no table. Send it with Content-Type text/csv, or that of Excel workbooks or Parquet files.";
  return issueError("validation_failed", { field: "uploadId", id: uploadId, code: "not_csv", message });
}
