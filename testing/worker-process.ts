import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "postgres";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { runWorker } from "#server/worker/main";
import { workerOptions } from "../server/node-options.ts";

/** Inserts fault points into the sources, also in processes that the worker starts. */
const withFaultPoints = `--import ${new URL("insert-fault-points.ts", import.meta.url).href}`;

export type WorkerProcess = AsyncDisposable & {
  child: ChildProcess;
  /** Resolves to the signal's name or the exit code when the process ends. */
  ended: Promise<NodeJS.Signals | number>;
  /** Returns what the worker has logged so far. */
  log(): string;
  /** Waits until the worker has logged the message. */
  says(message: string): Promise<void>;
};

/**
 * Starts the real worker in a separate process, with this test file's store. Disposal kills the process.
 *
 * @param fault value of `FAULT_POINT`: where and how the process ends or halts (see `passFaultPoint`)
 */
export function startWorkerProcess({
  databaseUrl,
  fault = "",
  env = {},
}: {
  databaseUrl: string;
  fault?: string | undefined;
  env?: Record<string, string>;
}): WorkerProcess {
  const child = spawn(process.execPath, [...workerOptions, path.resolve("scripts/worker.ts")], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: "info",
      ...(fault !== "" && { FAULT_POINT: fault, NODE_OPTIONS: withFaultPoints }),
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit", "ipc"], // The worker ends if the IPC channel closes, so also if the test run is killed.
  });
  let log = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const ended = once(child, "exit").then(([code, signal]) => signal ?? code);
  return {
    child,
    ended,
    log: () => log,
    async says(message) {
      while (!log.includes(JSON.stringify(message))) {
        const gone = await Promise.race([once(child.stdout!, "data").then(() => false), ended]);
        if (gone !== false)
          throw new Error(`The worker ended (${gone}) before it logged "${message}":\n${log}`);
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Starts a worker in this process. It starts faster, but a test cannot kill it. */
export async function startWorkerHere(): Promise<AsyncDisposable> {
  const worker = await runWorker();
  return { [Symbol.asyncDispose]: () => worker.stop() };
}

/** Waits until the process has stopped itself with `SIGSTOP`. */
export async function isStopped({ child }: WorkerProcess): Promise<void> {
  const state = async () => /\) (\S)/.exec(await readFile(`/proc/${child.pid}/stat`, "utf8"))![1];
  while ((await state()) !== "T") await delay(20);
}

/**
 * Shortens the leases of active jobs to three seconds. The leases of lost workers then expire by themselves. The next
 * attempt keeps the short lease, which a busy machine must not let expire.
 */
export async function shortenLeases(sql: Sql): Promise<void> {
  await sql`update pgboss.job set heartbeat_seconds = 3 where state = 'active'`;
}

/** Expires the leases of active jobs and runs the supervision of pg-boss at once. The next worker resumes the jobs. */
export async function missWorkers(sql: Sql): Promise<void> {
  await sql`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`;
  await sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null`; // Otherwise, supervision waits for its interval.
  await (await jobSender()).supervise();
  await skipPauses(sql);
}

/** Ends the delay before the retry of jobs. */
export async function skipPauses(sql: Sql): Promise<void> {
  await sql`update pgboss.job set start_after = now() where state = 'retry'`;
}
