// Creates the first admin from ADMIN_EMAIL and ADMIN_PASSWORD. Changes nothing if a user exists.

import { createFirstAdmin } from "#lib/domain/users/create-user";
import { environment } from "#lib/platform/config/environment";
import { closeDatabase, database } from "#lib/platform/database/process-database";
import { StartError } from "#lib/platform/errors/start-errors";
import { newId } from "#lib/platform/ids/new-id";
import { reportAndExit } from "../server/report-and-exit.ts";

try {
  const { admin } = environment();
  if (admin === null) throw new StartError("Set ADMIN_EMAIL and ADMIN_PASSWORD to create the first admin.");
  const { email, password } = admin;
  const ctx = { db: database(), requestId: newId() };
  const created = await createFirstAdmin(ctx, { name: email.split("@")[0] ?? email, email, password });
  if (created) console.log(`created the admin ${created.email}`);
  await closeDatabase();
} catch (error) {
  reportAndExit(error);
}
