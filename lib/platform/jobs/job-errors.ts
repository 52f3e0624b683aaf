import { counted } from "#lib/contract/counted";

/** Thrown out of a handler whose job was asked to be cancelled. */
export class JobCancelled extends Error {
  override readonly name = "JobCancelled";
  constructor() {
    super("The job was cancelled.");
  }
}

/** Thrown out of a handler whose job another worker has begun anew: nothing that this attempt writes counts. */
export class StaleAttempt extends Error {
  override readonly name = "StaleAttempt";
  constructor() {
    super("Another attempt of the job has begun, or it has ended.");
  }
}

/** Thrown out of a handler that has had all the time that its type of job is given. */
export class JobTimedOut extends Error {
  override readonly name = "JobTimedOut";
  constructor(minutes: number) {
    super(
      `The job was stopped after ${counted(minutes, "minute")}, the longest that one of its type may take. Nothing of it was kept: start it again with less data.`,
    );
  }
}

/** Thrown out of a handler whose worker stops: the job goes on in another attempt. */
export class WorkerStopping extends Error {
  override readonly name = "WorkerStopping";
  constructor() {
    super("The worker stops.");
  }
}
