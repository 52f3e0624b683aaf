// The process of one job, which `runInOwnProcess` forks. It ends with the worker.
import { writeFileSync } from "node:fs";
import { readJob } from "#lib/domain/jobs/find-job";
import { database } from "#lib/platform/database/process-database";
import { JobCancelled, StaleAttempt, WorkerStopping } from "#lib/platform/jobs/job-errors";
import { consoleToLog } from "#lib/platform/log/console-to-log";
import { logger } from "#lib/platform/log/logger";
import { reportAndExit } from "../report-and-exit.ts";
import { logLevelOf, reportOf } from "./failures.ts";
import { openDatabase } from "./open-database.ts";
import { runHandler } from "./run-handler.ts";
import type { Outcome, ToProcess } from "./run-in-own-process.ts";
import { blockedSeconds, Watchdog } from "./watchdog.ts";

process.title = "job of forkcast";
// Ctrl-C reaches the worker, too, which then stops this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit(1));
new Watchdog({ url: null, blockedSeconds, endsWithParent: true });
preferThisProcessWhenMemoryEnds();

type Order = Extract<ToProcess, { kind: "run" }>;

const ordered = Promise.withResolvers<Order>();
const stopping = new AbortController();
process.on("message", (message: ToProcess) => {
  if (message.kind === "run") ordered.resolve(message);
  else stopping.abort(new WorkerStopping()); // The worker knows the reason, and acts by it.
});

try {
  consoleToLog();
  const order = await ordered.promise;
  openDatabase(order.url);
  const outcome = await run(order);
  process.send!(outcome, () => process.exit(0));
} catch (error) {
  reportAndExit(error);
}

async function run({ jobId, attempt }: Order): Promise<Outcome> {
  let requestId: string | null = null;
  try {
    const job = await readJob(database(), jobId);
    if (job === null || job.attempt !== attempt) return { kind: "stale" };
    requestId = job.requestId;
    await runHandler(database(), job, stopping.signal);
    return { kind: "done" };
  } catch (error) {
    if (error instanceof StaleAttempt) return { kind: "stale" };
    if (error instanceof JobCancelled) return { kind: "cancelled" };
    logger()[logLevelOf(error)]({ err: error, jobId, attempt }, "the handler failed");
    return { kind: "failed", report: reportOf(error, { id: jobId, requestId }) };
  }
}

/** Makes the kernel end this process rather than the worker, with all its jobs. Only Linux has the file. */
function preferThisProcessWhenMemoryEnds(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "500");
  } catch {
    // The kernel then chooses by size.
  }
}
