import { counted } from "#lib/contract/counted";

/** Thrown in the handler of a job that a caller has cancelled. */
export class JobCancelled extends Error {
  override readonly name = "JobCancelled";
  constructor() {
    super("The job was cancelled.");
  }
}

/**
 * Thrown in a handler whose attempt is no longer current: the job ended, its delivery was lost, or another attempt started.
 * Writes of the attempt are rejected once the job has ended or another attempt has started.
 */
export class StaleAttempt extends Error {
  override readonly name = "StaleAttempt";
  constructor() {
    super("The job has ended, its delivery was lost, or another attempt of it has started.");
  }
}

/** Thrown in a handler that has reached the time limit of its job type. */
export class JobTimedOut extends Error {
  override readonly name = "JobTimedOut";
  constructor(minutes: number) {
    super(
      `The job reached the time limit of its type, ${counted(minutes, "minute")}, and was stopped without a result. Retry it with less data.`,
    );
  }
}

/** Thrown in a handler whose worker stops. The job starts again in another attempt. */
export class WorkerStopping extends Error {
  override readonly name = "WorkerStopping";
  constructor() {
    super("The worker is stopping.");
  }
}
