// Creates the first admin from ADMIN_EMAIL and ADMIN_PASSWORD. Changes nothing if a user exists.

import { environment } from "#lib/platform/config/environment";
import { closeDatabase, database } from "#lib/platform/database/process-database";
import { StartError } from "#lib/platform/errors/start-errors";
import { createConfiguredAdmin } from "../server/create-configured-admin.ts";
import { reportAndExit } from "../server/report-and-exit.ts";

try {
  const { admin } = environment();
  if (admin === null) throw new StartError("Set ADMIN_EMAIL and ADMIN_PASSWORD to create the first admin.");
  await createConfiguredAdmin(database(), admin);
  await closeDatabase();
} catch (error) {
  reportAndExit(error);
}
