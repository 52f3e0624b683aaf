// npm run -s restore -- --from <folder>: brings a backup into a service that was started empty (DEMO=0, no ADMIN_EMAIL).
import { closeDatabase, databaseConnection } from "#db/client";
import { restore } from "#lib/platform/backup/restore";
import { store } from "#lib/platform/storage/store";
import { folderArgument } from "./folder-argument.ts";
import { tellProgress } from "./print-progress.ts";
import { reportAndExit } from "./report-and-exit.ts";

try {
  const folder = folderArgument("from", "Usage: npm run -s restore -- --from <folder>");
  const progress = tellProgress();
  await restore(databaseConnection().sql, store(), folder, progress);
  progress.end();
  await closeDatabase();
  console.log("Restored. Sign in as before; API keys work as before.");
} catch (error) {
  reportAndExit(error);
}
