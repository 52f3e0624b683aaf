// npm run -s migrate: migrates the database to this version's schema. It is safe to run repeatedly and concurrently.

import { migrate } from "#db/migrate";
import { databaseUrl } from "#lib/platform/database/database-url";
import { closeDatabase } from "#lib/platform/database/process-database";
import { usableSchemaState } from "#lib/platform/health/usable-schema-state";
import { closeJobSender, jobSender } from "#lib/platform/jobs/job-sender";
import { reportAndExit } from "../server/report-and-exit.ts";

try {
  await migrate(databaseUrl(), usableSchemaState);
  await jobSender(); // Creates the tables of the queue.
  await closeJobSender();
  await closeDatabase();
  console.log("The database has the schema of this version.");
} catch (error) {
  reportAndExit(error);
}
