// The worker: takes jobs from the database and does them.
import { closeDatabase, createDatabase, database, provideDatabase } from "#db/client";
import { databaseUrl } from "#lib/config/database-url";
import { environment } from "#lib/config/environment";
import { awaitSchema } from "#lib/health/await-schema";
import { markStopping } from "#lib/health/stopping";
import { consoleToLog } from "#lib/log/console-to-log";
import { runWorker, type Worker } from "#lib/worker/main";
import { serveProbes } from "#lib/worker/serve-probes";
import { reportAndExit } from "./report-and-exit.ts";
import { onStop } from "./stop-signals.ts";

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
