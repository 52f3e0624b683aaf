import type { JobRun, ProgressNote } from "#lib/platform/jobs/job-run";

type ProgressReporter = {
  /** Aborted with the job, or when a progress report finds that the job must stop. */
  signal: AbortSignal;
  /** Reports progress without waiting for the write. */
  report(percent: number, note: ProgressNote): void;
};

/**
 * Runs work that reports progress synchronously, as a computation in a thread does. If a report throws (the job was
 * cancelled, or another attempt has started), `signal` aborts the work.
 *
 * @throws the error of that report, else the error of the work
 */
export async function reportingProgress(
  run: JobRun,
  work: (reporter: ProgressReporter) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  let pending: Promise<void> = Promise.resolve();
  let stopped: { reason: unknown } | null = null;
  const report = (percent: number, note: ProgressNote) => {
    pending = pending.then(async () => {
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
    await work({ signal, report });
  } catch (error) {
    await pending;
    throw stopReason() ?? error;
  }
  await pending;

  function stopReason(): unknown {
    return stopped?.reason;
  }
}
