// npm run -s migrate: migrates the database to this version's schema. It is safe to run repeatedly and concurrently.
// Also creates the first admin of ADMIN_EMAIL, because processes without a supervisor have no other command for it.

import { migrate } from "#db/migrate";
import { environment } from "#lib/platform/config/environment";
import { databaseUrl } from "#lib/platform/database/database-url";
import { closeDatabase, database } from "#lib/platform/database/process-database";
import { usableSchemaState } from "#lib/platform/health/usable-schema-state";
import { closeJobSender, jobSender } from "#lib/platform/jobs/job-sender";
import { createConfiguredAdmin } from "../server/create-configured-admin.ts";
import { reportAndExit } from "../server/report-and-exit.ts";

try {
  await migrate(databaseUrl(), usableSchemaState);
  await jobSender(); // Creates the tables of the queue.
  await closeJobSender();
  const { admin } = environment();
  if (admin !== null) await createConfiguredAdmin(database(), admin);
  await closeDatabase();
  console.log("The database has the schema of this version.");
} catch (error) {
  reportAndExit(error);
}
