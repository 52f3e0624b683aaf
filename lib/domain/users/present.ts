import type { user } from "#db/schema/users";
import { type Member, Role } from "#lib/contract/members";

export type UserRow = typeof user.$inferSelect;

export function presentMember(row: UserRow): Member {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: roleOf(row.role),
    disabledAt: row.disabledAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** Returns the role of a stored text; unknown roles get the fewest permissions. */
export const roleOf = (stored: unknown) => Role.safeParse(stored).data ?? "analyst";
