// Loads the demo. The service runs this script on its first start, while the worker runs.
import { closeDatabase, database } from "#lib/platform/database/process-database";
import { loadDemo } from "../demo/load-demo.ts";
import { reportAndExit } from "../server/report-and-exit.ts";

try {
  await loadDemo(database());
  await closeDatabase();
  process.exit(0);
} catch (error) {
  reportAndExit(error);
}
