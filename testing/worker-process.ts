import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "postgres";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { runWorker } from "#server/worker/main";
import { workerOptions } from "../server/node-options.ts";

export type WorkerProcess = AsyncDisposable & {
  child: ChildProcess;
  /** How it ended: a signal's name, or an exit code. */
  ended: Promise<NodeJS.Signals | number>;
  /** Waits until it has logged such a message. */
  says(message: string): Promise<void>;
};

/**
 * The real worker, in a process of its own, with this test file's store. It is killed where it still lives at the end.
 *
 * @param fault where it is to end or halt: see `lib/platform/jobs/fault-point.ts`
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
    env: { ...process.env, DATABASE_URL: databaseUrl, LOG_LEVEL: "info", FAULT_POINT: fault, ...env },
    stdio: ["ignore", "pipe", "inherit", "ipc"], // By the channel it hears when a test run is killed.
  });
  let log = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const ended = once(child, "exit").then(([code, signal]) => signal ?? code);
  return {
    child,
    ended,
    async says(message) {
      while (!log.includes(JSON.stringify(message))) {
        const gone = await Promise.race([once(child.stdout!, "data").then(() => false), ended]);
        if (gone !== false) throw new Error(`The worker ended (${gone}) without saying ${message}:\n${log}`);
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A worker in this process, which starts sooner: for what is not about its end. */
export async function startWorkerHere(): Promise<AsyncDisposable> {
  const worker = await runWorker();
  return { [Symbol.asyncDispose]: () => worker.stop() };
}

/** Waits until the process has stopped itself. */
export async function isStopped({ child }: WorkerProcess): Promise<void> {
  const state = async () => /\) (\S)/.exec(await readFile(`/proc/${child.pid}/stat`, "utf8"))![1];
  while ((await state()) !== "T") await delay(20);
}

/** Shortens the leases of jobs whose workers are gone, which run out by themselves then. */
export async function shortenLeases(sql: Sql): Promise<void> {
  await sql`update pgboss.job set heartbeat_seconds = 1 where state = 'active'`;
}

/** Lets the leases run out, and a supervisor see it, at once: whoever comes next goes on with their jobs. */
export async function missWorkers(sql: Sql): Promise<void> {
  await sql`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`;
  await sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null`; // Else only the next interval looks.
  await (await jobSender()).supervise();
  await skipPauses(sql);
}

/** Ends the pause before jobs are tried again. */
export async function skipPauses(sql: Sql): Promise<void> {
  await sql`update pgboss.job set start_after = now() where state = 'retry'`;
}
