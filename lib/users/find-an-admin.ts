import { asc, eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { user } from "#db/schema/users";

/** For whom a command acts that nobody signed in to: the first admin; `system` where there is nobody yet. */
export async function findAnAdmin(db: Database): Promise<string> {
  const [row] = await db
    .select({ id: user.id })
    .from(user)
    .where(eq(user.role, "admin"))
    .orderBy(asc(user.createdAt))
    .limit(1);
  return row?.id ?? "system";
}
