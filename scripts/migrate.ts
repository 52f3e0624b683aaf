// npm run -s migrate: brings the database to this version's schema; safe to run twice, and by several processes at once.
import { closeDatabase, database } from "#db/client";
import { migrate } from "#db/migrate";
import { StartError } from "#lib/config/start-error";
import { schemaState } from "#lib/health/schema-state";
import { databaseUrl } from "#lib/platform/database/database-url";
import { newerSchema } from "#lib/platform/health/await-schema";
import { closeJobSender, jobSender } from "#lib/platform/jobs/job-sender";
import { reportAndExit } from "./report-and-exit.ts";

try {
  if ((await schemaState(database())) === "newer") throw new StartError(newerSchema);
  await migrate(databaseUrl());
  await jobSender(); // Makes the queue's own tables.
  await closeJobSender();
  await closeDatabase();
  console.log("The database has the schema of this version.");
} catch (error) {
  reportAndExit(error);
}
