// Loads the demo: the service runs it on its first start, while the worker is up.
import { closeDatabase, database } from "#db/client";
import { loadDemo } from "../demo/load-demo.ts";
import { reportAndExit } from "./report-and-exit.ts";

try {
  await loadDemo(database());
  await closeDatabase();
  process.exit(0);
} catch (error) {
  reportAndExit(error);
}
