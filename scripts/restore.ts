// npm run -s restore -- --from <folder>: restores a backup into an empty service (DEMO=0, no ADMIN_EMAIL).

import path from "node:path";
import { restore } from "#lib/platform/backup/restore";
import { closeDatabase, databaseConnection } from "#lib/platform/database/process-database";
import { requireSchema } from "#lib/platform/health/require-schema";
import { store } from "#lib/platform/storage/store";
import { reportAndExit } from "../server/report-and-exit.ts";
import { printProgress } from "./print-progress.ts";
import { requiredOption } from "./read-options.ts";

try {
  const folder = path.resolve(requiredOption("from", "Usage: npm run -s restore -- --from <folder>"));
  const progress = printProgress();
  const { db, sql } = databaseConnection();
  await requireSchema(db);
  await restore(sql, store(), folder, progress);
  progress.end();
  await closeDatabase();
  console.log("Restored. Sign in as before; API keys work as before.");
} catch (error) {
  reportAndExit(error);
}
