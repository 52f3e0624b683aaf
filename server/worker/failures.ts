import { errorCodes } from "#lib/contract/error-codes";
import { inputRejection } from "#lib/domain/models/model-rejection";
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { countedDetails, DomainError } from "#lib/platform/errors/domain-error";
import { isDatabaseAway, isFull, isOutage } from "#lib/platform/errors/outage";
import { maxLostAttempts } from "#lib/platform/jobs/attempts";
import type { JobFailure } from "#lib/platform/jobs/end-job";
import { JobTimedOut } from "#lib/platform/jobs/job-errors";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { ArtifactDamagedError, ArtifactNotFoundError } from "#lib/platform/storage/storage-errors";
import type { ProcessEnd } from "./process-end.ts";

/** Returns the failure of a permanent error; null for an error that may be temporary, after which the job is retried. */
export function permanentFailure(thrown: unknown, job: RequestedJob): JobFailure | null {
  const error = inputRejection(thrown);
  if (error instanceof ReportedError) return error.report.permanent;
  if (error instanceof JobProcessEnded) return null;
  if (error instanceof ModelInvalid) {
    const { message, isReasonLogged, outputOptions } = error;
    return {
      code: "model_invalid",
      message: isReasonLogged ? `${message} ${report(job)}` : message,
      outputOptions,
    };
  }
  if (error instanceof JobTimedOut) return { code: "job_timed_out", message: error.message };
  // A retry would fill the little space that becomes free, so the job fails at once.
  if (isFull(error)) return storageFull;
  if (error instanceof TrainingImpossible) return { code: "training_impossible", message: error.message };
  if (!(error instanceof DomainError) || isBusy(error)) return null;
  // The message often repeats the first detail.
  const isShown = ({ message }: { message: string }) => error.message.endsWith(message);
  const others = countedDetails(error.details, error.unlisted).filter((detail) => !isShown(detail));
  return {
    code: error.code,
    message: [error.message, ...others.map(({ message }) => `- ${message}`)].join("\n"),
  };
}

type LogLevel = "info" | "error";

/**
 * Returns the log level of an error that ended a job: `info` for errors of the input, which the user sees, and `error`
 * for errors that the operator should look at.
 */
export function logLevelOf(thrown: unknown): LogLevel {
  const error = inputRejection(thrown);
  if (error instanceof ReportedError) return error.report.level;
  const byInput =
    error instanceof ModelInvalid ||
    error instanceof TrainingImpossible ||
    (error instanceof DomainError && errorCodes[error.code][0] < 500);
  return byInput ? "info" : "error";
}

/** Returns whether an operation waited too long for others. */
const isBusy = (error: unknown) => error instanceof DomainError && error.code === "service_unavailable";

/** Returns the failure of an error that remained in the last attempt. */
export function lastFailure(error: unknown, job: RequestedJob): JobFailure {
  if (error instanceof ReportedError) return error.report.last;
  if (error instanceof JobProcessEnded) return { code: "internal_error", message: error.message };
  if (isOutage(error) || isBusy(error)) return unreachable;
  if (!(error instanceof ArtifactNotFoundError || error instanceof ArtifactDamagedError))
    return internalFailure(job);
  const message =
    "Stored files that the job needs are missing or damaged. Train or import the model again, then retry the job.";
  return { code: "internal_error", message };
}

const storageFull: JobFailure = {
  code: "service_unavailable",
  message:
    "Storage is full, so no result of the job was kept. Retry the job after the operator of the service has freed space.",
};

const unreachable: JobFailure = {
  code: "service_unavailable",
  message:
    "A component that the job needs was unavailable in the last attempt. Retry the job when the service works again.",
};

/** Failure of a job whose workers ended too often. */
export const lostFailure: JobFailure = {
  code: "internal_error",
  message: `The worker process that ran this job ended ${maxLostAttempts} times before the job did. The cause was not seen. Retry the job. If it fails again, ask the operator of the service why its workers end.`,
};

/** Returns the failure of an internal error. The log contains the reason. */
export function internalFailure(job: RequestedJob): JobFailure {
  return {
    code: "internal_error",
    message: `${errorCodes.internal_error[1]} Retry the job. ${report(job)}`,
  };
}

type RequestedJob = Pick<JobRow, "id" | "requestId">;

/** Returns the advice to report the request ID, which the log also contains. */
const report = ({ id, requestId }: RequestedJob) =>
  `If the error persists, report the request ID ${requestId ?? id}.`;

/** Meaning of an error for the job, as plain data: the classes of errors do not reach other processes. */
export type ErrorReport = {
  permanent: JobFailure | null;
  last: JobFailure;
  level: LogLevel;
  isDatabaseAway: boolean;
};

/** Returns the report of an error of a job that runs in its own process. */
export const reportOf = (error: unknown, job: RequestedJob): ErrorReport => ({
  permanent: permanentFailure(error, job),
  last: lastFailure(error, job),
  level: logLevelOf(error),
  isDatabaseAway: isDatabaseAway(error),
});

/** Error that a job's own process has logged and reported. */
export class ReportedError extends Error {
  readonly report: ErrorReport;
  constructor(report: ErrorReport) {
    super("The job failed in its own process.");
    this.report = report;
  }
}

/** Thrown when a job's own process ended before the job. */
export class JobProcessEnded extends Error {
  constructor({ how, advice }: ProcessEnd) {
    super(`The process of this job ${how} in the last attempt. ${advice}`);
  }
}
