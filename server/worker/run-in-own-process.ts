import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Database } from "#db/client";
import { databaseConnection } from "#lib/platform/database/process-database";
import { JobCancelled, StaleAttempt } from "#lib/platform/jobs/job-errors";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { logger } from "#lib/platform/log/logger";
import { workerOptions } from "#server/node-options";
import { type ErrorReport, JobProcessEnded, ReportedError } from "./failures.ts";
import { describeEnd, oomKills } from "./process-end.ts";
import { graceMs } from "./stop-in-time.ts";

/** To the job's own process: its job and the address of the database, or that it must stop. */
export type ToProcess = { kind: "run"; jobId: string; attempt: number; url: string } | { kind: "stop" };

/** Outcome of a handler, from the job's own process. */
export type Outcome =
  | { kind: "done" }
  | { kind: "stale" }
  | { kind: "cancelled" }
  | { kind: "failed"; report: ErrorReport };

/** Characters of standard error that are kept. Node.js explains its own end there. */
const keptOutput = 4_000;

/**
 * Runs the handler of a job in its own process, like `runHandler`. If the process ends early, the job alone is
 * affected, and the cause is seen.
 *
 * @throws {JobProcessEnded} if the process ended before the job
 * @throws {ReportedError | StaleAttempt | JobCancelled} the error of the handler; the reason of the signal
 */
export async function runInOwnProcess(_db: Database, job: JobRow, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const killedBefore = oomKills();
  const child = fork(fileURLToPath(new URL("./own-process.ts", import.meta.url)), {
    execArgv: workerOptions,
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  const send = (message: ToProcess) => {
    if (child.connected) child.send(message, () => {}); // The process may have ended.
  };
  send({ kind: "run", jobId: job.id, attempt: job.attempt, url: databaseConnection().url });
  let outcome: Outcome | undefined;
  child.on("message", (message) => {
    outcome = message as Outcome;
  });
  let errorOutput = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    process.stderr.write(text);
    errorOutput = (errorOutput + text).slice(-keptOutput);
  });
  let late: NodeJS.Timeout | undefined;
  const stop = () => {
    send({ kind: "stop" });
    late = setTimeout(() => child.kill("SIGKILL"), graceMs);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    const [code, by] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    if (signal.aborted) throw signal.reason;
    if (outcome === undefined) {
      const isMemoryUsedUp = oomKills() > killedBefore;
      const end = describeEnd({ code, signal: by, errorOutput, isMemoryUsedUp });
      logger().error(
        { jobId: job.id, attempt: job.attempt, code, signal: by },
        `the process of a job ${end.how}`,
      );
      throw new JobProcessEnded(end);
    }
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", stop);
  }
  if (outcome.kind === "stale") throw new StaleAttempt();
  if (outcome.kind === "cancelled") throw new JobCancelled();
  if (outcome.kind === "failed") throw new ReportedError(outcome.report);
}
