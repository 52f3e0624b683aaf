import { chmodSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { migrate } from "#db/migrate";
import { type RunningPostgres, startPostgres } from "../server/postgres/start-postgres.ts";
import { createDataFolder } from "./run-folder.ts";

/** PostgreSQL server of one test, with the current schema. The test can crash it. */
export type CrashingPostgres = AsyncDisposable & {
  url: string;
  /** Stops the server at once, like `pg_ctl stop -m immediate`: without a checkpoint or an orderly end of sessions. */
  crash(): void;
  /** Restarts the server on the same port. PostgreSQL recovers first. */
  restart(): Promise<void>;
  /** Restarts the server and crashes it after `afterMs`, usually during the recovery. */
  crashInRecovery(afterMs: number): Promise<void>;
};

export async function startCrashingPostgres(): Promise<CrashingPostgres> {
  const folder = createDataFolder("forkcast-crash-");
  chmodSync(folder, 0o755);
  const dataDir = path.join(folder, "data");
  // No syncing: only processes crash here, and the operating system keeps their writes.
  const start = (port?: number) =>
    startPostgres({ dataDir, durable: false, ...(port === undefined ? {} : { port }) });
  let server: RunningPostgres = await start();
  const { url, port } = server;
  await migrate(url);
  await keepCommits(url);
  const restart = async () => {
    await server.exited;
    server = await start(port);
  };
  return {
    url,
    crash: () => void process.kill(server.pid, "SIGQUIT"),
    restart,
    async crashInRecovery(afterMs) {
      await server.exited;
      const former = server.pid;
      let isOver = false;
      const starting = start(port)
        .then(
          (started) => {
            server = started;
          },
          () => {}, // The server crashed before it was ready.
        )
        .finally(() => {
          isOver = true;
        });
      let pid = former;
      while (pid === former && !isOver) {
        await delay(1);
        pid = recordedPid(path.join(dataDir, "postgres", "postmaster.pid")) ?? former;
      }
      await delay(afterMs);
      if (server.pid === pid || !isOver) process.kill(pid, "SIGQUIT");
      await starting;
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Enables synchronous commits, as in production. Other test servers confirm a commit before they write it, so a crash
 * could undo it.
 */
async function keepCommits(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  await sql`alter database ${sql(new URL(url).pathname.slice(1))} set synchronous_commit = on`;
  await sql.end();
}

function recordedPid(file: string): number | null {
  try {
    return Number.parseInt(readFileSync(file, "utf8"), 10) || null;
  } catch {
    return null;
  }
}
