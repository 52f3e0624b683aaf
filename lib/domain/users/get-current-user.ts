import { eq } from "drizzle-orm";
import { user } from "#db/schema/users";
import type { Me } from "#lib/contract/members";
import type { Context } from "#lib/platform/context/context";

/** Returns the caller. The user who created an API key may no longer exist. */
export async function getCurrentUser({ db, actor }: Context): Promise<Me> {
  const [row] = await db
    .select({ name: user.name, email: user.email })
    .from(user)
    .where(eq(user.id, actor.userId));
  const key = actor.kind === "api-key" ? actor : null;
  return {
    kind: actor.kind,
    userId: actor.userId,
    name: key ? null : (row?.name ?? null),
    email: key ? null : (row?.email ?? null),
    role: actor.kind === "session" ? actor.role : null,
    apiKeyId: key?.apiKeyId ?? null,
    projectId: key?.projectId ?? null,
  };
}
