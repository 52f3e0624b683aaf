import type { Context } from "#lib/context/context";
import { keepAnswer } from "#lib/context/keep-answer";
import type { CreateMember, Member } from "#lib/contract/members";
import { presentMember } from "#lib/domain/users/present";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { memberDeed } from "./create-first-admin.ts";
import { insertUser } from "./insert-user.ts";

/** @throws {DomainError} `validation_failed` where the e-mail address is taken */
export async function createMember(ctx: Context, given: CreateMember): Promise<Member> {
  return ctx.db.transaction(async (tx) => {
    const row = await insertUser(tx, { ...given, role: given.role ?? "analyst" });
    await recordAudit(tx, ctx, memberDeed("created", row));
    return keepAnswer(tx, ctx, presentMember(row));
  });
}
