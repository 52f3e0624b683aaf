import type { Database } from "#db/client";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { insertUser, type NewUser, type UserRow } from "./insert-user.ts";
import { lockMembers } from "./lock-members.ts";
import { needsSetup } from "./needs-setup.ts";

/**
 * Creates the first admin; of several who try at once exactly one succeeds.
 *
 * @returns null where there is a user already; nothing is changed then
 */
export async function createFirstAdmin(
  { db, requestId }: { db: Database; requestId: string },
  given: Omit<NewUser, "role">,
): Promise<UserRow | null> {
  // A password's hash takes its time on purpose: none is made where it would be in vain.
  if (!(await needsSetup(db))) return null;
  return db.transaction(async (tx) => {
    await lockMembers(tx);
    if (!(await needsSetup(tx))) return null;
    const row = await insertUser(tx, { ...given, role: "admin" });
    const actor = { kind: "session", userId: row.id, role: "admin" } as const;
    await recordAudit(tx, { actor, requestId }, memberDeed("created", row));
    return row;
  });
}

/** An entry of the audit log about a member. */
export const memberDeed = (
  deed: "created" | "updated" | "disabled" | "enabled" | "deleted",
  row: UserRow,
) => ({
  projectId: null,
  action: `member.${deed}`,
  entityType: "member" as const,
  entityId: row.id,
  label: row.email,
});
