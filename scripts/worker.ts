// The worker: takes jobs from the database and runs them.
import { flushCompileCache } from "node:module";
import { environment } from "#lib/platform/config/environment";
import { databaseUrl } from "#lib/platform/database/database-url";
import { closeDatabase, database } from "#lib/platform/database/process-database";
import { awaitSchema } from "#lib/platform/health/await-schema";
import { markStopping } from "#lib/platform/health/probes";
import { consoleToLog } from "#lib/platform/log/console-to-log";
import { giveWay } from "#lib/platform/process/give-way";
import { runWorker, type Worker } from "#server/worker/main";
import { openDatabase } from "#server/worker/open-database";
import { serveProbes } from "#server/worker/serve-probes";
import { blockedSeconds, Watchdog } from "#server/worker/watchdog";
import { reportAndExit } from "../server/report-and-exit.ts";
import { onStop } from "../server/stop-signals.ts";

process.title = "worker of forkcast";
giveWay(5);
try {
  const { workerPort, bindAddress, drainSeconds } = environment();
  consoleToLog();
  const url = databaseUrl();
  openDatabase(url);
  const stopping = new AbortController();
  let starting: Promise<Worker> | undefined;
  const closeProbes = workerPort === null ? null : await serveProbes(workerPort, bindAddress);
  onStop(async (reason) => {
    if (reason === "disconnect") process.exit(1); // The supervisor has died, and PostgreSQL with it.
    markStopping();
    stopping.abort();
    const worker = await starting?.catch(() => null); // A failed start ends the process itself.
    await worker?.stop();
    await closeProbes?.();
    await closeDatabase();
    process.exit(0);
  });
  await awaitSchema(database(), stopping.signal);
  if (!stopping.signal.aborted) {
    const watchdog = new Watchdog({ url, blockedSeconds, endsWithParent: false });
    starting = runWorker({ watchdog, ...(drainSeconds !== null && { drainMs: drainSeconds * 1_000 }) });
    await starting;
    flushCompileCache(); // A worker that is killed later does not write it.
  }
} catch (error) {
  reportAndExit(error);
}
