// The worker: takes jobs from the database and does them.
import { closeDatabase } from "#db/client";
import { runWorker } from "#lib/worker/main";
import { reportAndExit } from "./report-and-exit.ts";
import { onStop } from "./stop-signals.ts";

process.title = "worker of prediction-service";
try {
  const worker = await runWorker();
  onStop(async (reason) => {
    if (reason === "disconnect") process.exit(1); // The supervisor is gone, and PostgreSQL with it.
    await worker.stop();
    await closeDatabase();
    process.exit(0);
  });
} catch (error) {
  reportAndExit(error);
}
