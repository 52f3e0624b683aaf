// The worker: takes jobs from the database and does them.
import { closeDatabase, createDatabase, database, provideDatabase } from "#db/client";
import { markStopping } from "#lib/health/stopping";
import { environment } from "#lib/platform/config/environment";
import { databaseUrl } from "#lib/platform/database/database-url";
import { awaitSchema } from "#lib/platform/health/await-schema";
import { consoleToLog } from "#lib/platform/log/console-to-log";
import { runWorker, type Worker } from "#server/worker/main";
import { serveProbes } from "#server/worker/serve-probes";
import { onStop } from "../server/stop-signals.ts";
import { reportAndExit } from "./report-and-exit.ts";

/** Nobody waits for an answer, and a job may have much to write. */
const statementMs = 24_000;

process.title = "worker of prediction-service";
try {
  const { workerPort, bindAddress, drainSeconds } = environment();
  consoleToLog();
  provideDatabase(createDatabase(databaseUrl(), { statementMs }));
  const stopping = new AbortController();
  let starting: Promise<Worker> | undefined;
  const closeProbes = workerPort === null ? null : await serveProbes(workerPort, bindAddress);
  onStop(async (reason) => {
    if (reason === "disconnect") process.exit(1); // The supervisor is gone, and PostgreSQL with it.
    markStopping();
    stopping.abort();
    const worker = await starting?.catch(() => null); // A start that fails ends the process by itself.
    await worker?.stop();
    await closeProbes?.();
    await closeDatabase();
    process.exit(0);
  });
  await awaitSchema(database(), stopping.signal);
  if (!stopping.signal.aborted) {
    starting = runWorker(drainSeconds === null ? {} : { drainMs: drainSeconds * 1_000 });
    await starting;
  }
} catch (error) {
  reportAndExit(error);
}
