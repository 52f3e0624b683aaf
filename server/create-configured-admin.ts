import type { Database } from "#db/client";
import { createFirstAdmin } from "#lib/domain/users/create-user";
import type { Environment } from "#lib/platform/config/environment";
import { newId } from "#lib/platform/ids/new-id";

/** Creates the first admin from ADMIN_EMAIL and ADMIN_PASSWORD, and prints the address. Changes nothing if a user exists. */
export async function createConfiguredAdmin(
  db: Database,
  { email, password }: NonNullable<Environment["admin"]>,
): Promise<void> {
  const name = email.split("@")[0] ?? email;
  const created = await createFirstAdmin({ db, requestId: newId() }, { name, email, password });
  if (created) console.log(`created the admin ${created.email}`);
}
