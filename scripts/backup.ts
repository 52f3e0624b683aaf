// npm run -s backup -- --to <folder>: writes database and artifacts to a new folder while the service runs.

import path from "node:path";
import { backUp } from "#lib/platform/backup/back-up";
import { closeDatabase, databaseConnection } from "#lib/platform/database/process-database";
import { requireSchema } from "#lib/platform/health/require-schema";
import { store } from "#lib/platform/storage/store";
import { reportAndExit } from "../server/report-and-exit.ts";
import { printProgress } from "./print-progress.ts";
import { requiredOption } from "./read-options.ts";

try {
  const folder = path.resolve(requiredOption("to", "Usage: npm run -s backup -- --to <folder>"));
  const progress = printProgress();
  const { db, sql } = databaseConnection();
  await requireSchema(db, { mayBeOlder: true });
  const done = await backUp(sql, store(), folder, progress);
  progress.end();
  await closeDatabase();
  console.log(
    `${done.tables} tables (${done.bytes} bytes) and ${done.artifacts} artifacts are in ${folder}.`,
  );
} catch (error) {
  reportAndExit(error);
}
