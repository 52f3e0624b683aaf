import type { Job } from "#lib/contract/jobs";
import type { JobRow } from "#lib/platform/jobs/job-run";

/** Returns a job in API form. */
export function presentJob(row: JobRow): Job {
  const { rowsTotal, rowsProcessed, errorCode, errorMessage } = row;
  return {
    id: row.id,
    projectId: row.projectId,
    type: row.type,
    status: row.status,
    progress: row.progress,
    stage: row.stage,
    message: row.message,
    rows: rowsTotal === null ? null : { total: rowsTotal, processed: rowsProcessed ?? 0 },
    scenarioId: row.scenarioId,
    checkpointId: row.checkpointId,
    modelId: row.modelId,
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? "" },
    outputOptions: row.outputOptions,
    attempt: row.attempt,
    retryOf: row.retryOf,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
