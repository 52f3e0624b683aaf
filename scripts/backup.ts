// npm run -s backup -- --to <folder>: writes database and artifacts of the service to a new folder; it goes on meanwhile.
import { closeDatabase, databaseConnection } from "#db/client";
import { backUp } from "#lib/platform/backup/back-up";
import { store } from "#lib/platform/storage/store";
import { folderArgument } from "./folder-argument.ts";
import { tellProgress } from "./print-progress.ts";
import { reportAndExit } from "./report-and-exit.ts";

try {
  const folder = folderArgument("to", "Usage: npm run -s backup -- --to <folder>");
  const progress = tellProgress();
  const done = await backUp(databaseConnection().sql, store(), folder, progress);
  progress.end();
  await closeDatabase();
  console.log(
    `${done.tables} tables (${done.bytes} bytes) and ${done.artifacts} artifacts are in ${folder}.`,
  );
} catch (error) {
  reportAndExit(error);
}
