import { type Member, Role } from "#lib/contract/members";
import type { UserRow } from "#lib/users/insert-user";

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

/** What is stored is text; an unknown role may do the least. */
export const roleOf = (stored: unknown) => Role.safeParse(stored).data ?? "analyst";
