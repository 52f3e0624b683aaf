import type { Database, Transaction } from "#db/client";
import { user } from "#db/schema/users";

/** Whether nobody can sign in yet, so that whoever comes first becomes the admin. */
export async function needsSetup(db: Database | Transaction): Promise<boolean> {
  return (await db.select({ id: user.id }).from(user).limit(1)).length === 0;
}
