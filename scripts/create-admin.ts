// Creates the first admin from ADMIN_EMAIL and ADMIN_PASSWORD; where somebody can sign in already, it changes nothing.
import { closeDatabase, database } from "#db/client";
import { StartError } from "#lib/config/start-error";
import { environment } from "#lib/platform/config/environment";
import { newId } from "#lib/platform/ids/new-id";
import { createFirstAdmin } from "#lib/users/create-first-admin";
import { reportAndExit } from "./report-and-exit.ts";

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
