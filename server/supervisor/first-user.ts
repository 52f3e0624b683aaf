import { createDatabase } from "#db/client";
import { user } from "#db/schema/users";

/** Whether somebody can sign in; if not, the first admin is made on the page `/setup`. */
export async function hasUsers(databaseUrl: string): Promise<boolean> {
  const { db, close } = createDatabase(databaseUrl, { max: 1 });
  try {
    return (await db.select({ id: user.id }).from(user).limit(1)).length > 0;
  } finally {
    await close();
  }
}
