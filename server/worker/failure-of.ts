import { errorCodes } from "#lib/contract/error-codes";
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { countedDetails, DomainError } from "#lib/platform/errors/domain-error";
import { isFull, isOutage } from "#lib/platform/errors/outage";
import { crashesOf } from "#lib/platform/jobs/attempts";
import type { JobFailure } from "#lib/platform/jobs/end-job";
import { JobTimedOut } from "#lib/platform/jobs/job-errors";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { ArtifactDamagedError, ArtifactNotFoundError } from "#lib/platform/storage/storage-errors";

/** What the user is told of an error that is for good; null for one that may pass, which is tried again. */
export function permanentFailure(error: unknown): JobFailure | null {
  if (error instanceof ModelInvalid) return { code: "model_invalid", message: error.message };
  if (error instanceof JobTimedOut) return { code: "job_timed_out", message: error.message };
  // Trying again would fill what little room comes free; the user is told at once.
  if (isFull(error)) return noRoom;
  if (error instanceof TrainingImpossible) return { code: "training_impossible", message: error.message };
  if (!(error instanceof DomainError)) return null;
  const told = ({ message }: { message: string }) => error.message.endsWith(message);
  const others = countedDetails(error.details, error.unlisted).filter((detail) => !told(detail));
  return {
    code: error.code,
    message: [error.message, ...others.map(({ message }) => `- ${message}`)].join("\n"),
  };
}

/**
 * Of a failure for good: `info` where the job failed by what it was given, of which its user is told, and `error` for
 * what whoever runs the service should look at.
 */
export function logLevelOf(error: unknown): "info" | "error" {
  const byInput =
    error instanceof ModelInvalid ||
    error instanceof TrainingImpossible ||
    (error instanceof DomainError && errorCodes[error.code][0] < 500);
  return byInput ? "info" : "error";
}

/** What the user is told of an error that has not passed at the last attempt. */
export function lastFailure(error: unknown): JobFailure {
  if (isOutage(error)) return unreachable;
  if (!(error instanceof ArtifactNotFoundError || error instanceof ArtifactDamagedError))
    return internalFailure;
  const message =
    "Stored files that the job needs are missing or damaged. Train or import the model again, then repeat the job.";
  return { code: "internal_error", message };
}

const noRoom: JobFailure = {
  code: "service_unavailable",
  message:
    "There is no room left to store what the job makes; nothing of it is kept. Repeat the job once whoever runs the service has made room.",
};

const unreachable: JobFailure = {
  code: "service_unavailable",
  message:
    "A part of the service that the job needs could not be reached, however often it was tried. Repeat the job once the service is whole again.",
};

/** What the user is told of a job whose attempts are used up, where the process ended in some or all of them. */
export function crashFailure(job: Pick<JobRow, "attempt" | "failures" | "handovers">): JobFailure {
  const besides = job.failures > 0 ? `, which failed ${times(job.failures)} besides` : "";
  const message = `The worker process ended ${times(crashesOf(job))} while it did this job${besides}. Most often it had too little memory. Repeat the job; if it ends like this again, give the worker more memory, or the job less data.`;
  return { code: "internal_error", message };
}

const times = (count: number) =>
  ["never", "once", "twice"][count] ?? `${count === 3 ? "three" : count} times`;

/** What the user is told where the reason is none of theirs; the log knows it. */
export const internalFailure: JobFailure = {
  code: "internal_error",
  message: `${errorCodes.internal_error[1]} ${errorCodes.internal_error[2]}`,
};
