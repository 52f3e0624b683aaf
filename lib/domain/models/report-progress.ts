import type { JobRun, ProgressNote } from "#lib/platform/jobs/job-run";

export type ProgressTeller = {
  /** Aborted with the job, and when telling found that it must not go on. */
  signal: AbortSignal;
  /** Says how far it is without waiting for it to be written. */
  tell(percent: number, note: ProgressNote): void;
};

/**
 * Does work that tells its progress in plain calls, as a computation in a thread does. What telling throws (the job was
 * cancelled, or another attempt has begun) stops the work and is thrown here.
 */
export async function reportingProgress(
  run: JobRun,
  work: (teller: ProgressTeller) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  let told: Promise<void> = Promise.resolve();
  let stopped: { reason: unknown } | null = null;
  const tell = (percent: number, note: ProgressNote) => {
    told = told.then(async () => {
      if (stopped) return;
      try {
        await run.report(percent, note);
      } catch (reason) {
        stopped = { reason };
        stop.abort(reason);
      }
    });
  };
  try {
    await work({ signal, tell });
  } catch (error) {
    await told;
    throw stopReason() ?? error;
  }
  await told;

  function stopReason(): unknown {
    return stopped?.reason;
  }
}
