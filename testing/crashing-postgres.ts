import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { migrate } from "#db/migrate";
import { type RunningPostgres, startPostgres } from "../server/postgres/start-postgres.ts";

/** A PostgreSQL of a test's own, with the present schema, that it may let crash. */
export type CrashingPostgres = AsyncDisposable & {
  url: string;
  /** Ends it at once, as `pg_ctl stop -m immediate` does: nothing is written down, no session is told. */
  crash(): void;
  /** Starts it again on the same port; it recovers first. */
  restart(): Promise<void>;
  /** Starts it and lets it crash again after so many milliseconds, most often while it recovers. */
  crashInRecovery(afterMs: number): Promise<void>;
};

export async function startCrashingPostgres(): Promise<CrashingPostgres> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "prediction-service-crash-"));
  chmodSync(folder, 0o755);
  const dataDir = path.join(folder, "data");
  // Without syncing, since no power fails here: what a process had written the system keeps.
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
          () => {}, // It has crashed before it was ready.
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

/** Tests' servers answer before a commit is written, which a crash then takes back: this one does as a real one does. */
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
