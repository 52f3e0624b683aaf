import { createDatabase } from "#db/client";
import { user } from "#db/schema/users";

/** Returns whether a user exists. If not, the page `/setup` creates the first admin. */
export async function hasUsers(databaseUrl: string): Promise<boolean> {
  const { db, close } = createDatabase(databaseUrl, { max: 1 });
  try {
    return (await db.select({ id: user.id }).from(user).limit(1)).length > 0;
  } finally {
    await close();
  }
}
