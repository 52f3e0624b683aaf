import { and, eq, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { account, user } from "#db/schema/users";
import { Email, MemberName, type Role } from "#lib/contract/members";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import type { OidcSettings } from "#lib/platform/config/environment";
import { DomainError } from "#lib/platform/errors/domain-error";
import { newId } from "#lib/platform/ids/new-id";
import { logger } from "#lib/platform/log/logger";
import { connectionUser, endConnections } from "#lib/platform/realtime/connection-ends";
import {
  auditedMember,
  auditedNewMember,
  findMember,
  lockMembers,
  needsSetup,
  rejectLastAdmin,
} from "./members.ts";
import type { UserRow } from "./present.ts";

/** Name of the company's provider in the sign-in library and in `account.provider_id`. */
export const companyProvider = "oidc";

/** Claims of a verified ID token, or of the provider's user info. */
export type CompanyProfile = Readonly<Record<string, unknown>>;

/** Reason why a person with a valid company account may not sign in. */
export type CompanyRejection =
  | "group_not_permitted"
  | "email_missing"
  | "email_not_verified"
  | "account_disabled"
  | "setup_first";

export class CompanyRejected extends Error {
  readonly reason: CompanyRejection;

  constructor(reason: CompanyRejection) {
    super(`A company account was rejected: ${reason}`);
    this.reason = reason;
  }
}

/** Returns the account's id: the subject is unique only within its issuer. */
export const companyAccountId = (issuer: string, { sub }: CompanyProfile): string =>
  `${issuer} ${encodeURIComponent(String(sub).toWellFormed())}`;

/**
 * Finds the member of a company account, or creates one, and gives it the role of its groups. A member with the same e-mail
 * is linked only if the address is verified: otherwise anybody who can choose an address at the provider could take over an
 * account here.
 *
 * @throws {CompanyRejected} without a change
 */
export async function companyMember(
  db: Database,
  settings: OidcSettings,
  profile: CompanyProfile,
  requestId: string,
): Promise<void> {
  const groups = groupsOf(profile, settings.groupsClaim);
  const isIn = (allowed: readonly string[]) => allowed.some((name) => groups.has(name));
  if (settings.groups !== null && !isIn(settings.groups)) throw new CompanyRejected("group_not_permitted");
  const role = settings.adminGroups && (isIn(settings.adminGroups) ? "admin" : "analyst");
  await db.transaction(async (tx) => {
    await lockMembers(tx);
    const member =
      (await linkedMember(tx, companyAccountId(settings.issuer, profile))) ??
      (await newlyLinkedMember(tx, { settings, profile, role, requestId }));
    if (member.disabledAt !== null) throw new CompanyRejected("account_disabled");
    if (role !== null && role !== member.role) await changeRole(tx, { member, role, requestId });
  });
}

function groupsOf(profile: CompanyProfile, claim: string): ReadonlySet<unknown> {
  const value = profile[claim];
  return new Set(Array.isArray(value) ? value : [value]);
}

async function linkedMember(tx: Transaction, accountId: string): Promise<UserRow | null> {
  const [row] = await tx
    .select({ userId: account.userId })
    .from(account)
    .where(and(eq(account.providerId, companyProvider), eq(account.accountId, accountId)));
  return row ? findMember(tx, row.userId) : null;
}

type Arrival = { settings: OidcSettings; profile: CompanyProfile; role: Role | null; requestId: string };

async function newlyLinkedMember(tx: Transaction, arrival: Arrival): Promise<UserRow> {
  const { settings, profile, role, requestId } = arrival;
  const email = Email.safeParse(profile.email).data;
  if (email === undefined) throw new CompanyRejected("email_missing");
  const isVerified = settings.trustsEmail || profile.email_verified === true;
  if (!isVerified) throw new CompanyRejected("email_not_verified");
  // The first admin sets the service up, unless the provider says who the admins are.
  if (role !== "admin" && (await needsSetup(tx))) throw new CompanyRejected("setup_first");
  const [known] = await tx.select().from(user).where(eq(user.email, email));
  const name = MemberName.safeParse(profile.name).data ?? email.slice(0, 100);
  const member = known ?? (await insertMember(tx, { email, name, role: role ?? "analyst" }));
  await tx.insert(account).values({
    id: newId(),
    accountId: companyAccountId(settings.issuer, profile),
    providerId: companyProvider,
    userId: member.id,
  });
  const ctx = contextOf(member, requestId);
  if (known === undefined) await recordChange(tx, ctx, "member.created", auditedNewMember(member));
  else {
    const changes = changesBetween({ companyAccount: null }, { companyAccount: settings.issuer });
    await recordChange(tx, ctx, "member.updated", { ...auditedMember(member), changes });
  }
  return member;
}

async function insertMember(
  tx: Transaction,
  fields: { email: string; name: string; role: Role },
): Promise<UserRow> {
  const [row] = await tx
    .insert(user)
    .values({ id: newId(), emailVerified: true, ...fields })
    .returning();
  return row!;
}

/** Changes the role. The only admin stays admin, because the service needs a member who can manage it. */
async function changeRole(
  tx: Transaction,
  { member, role, requestId }: { member: UserRow; role: Role; requestId: string },
): Promise<void> {
  try {
    if (role === "analyst") await rejectLastAdmin(tx, member, "role");
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    logger().warn(
      { part: "sign-in", userId: member.id },
      "the only admin is in no group of admins, and stays admin",
    );
    return;
  }
  await tx.update(user).set({ role, updatedAt: sql`now()` }).where(eq(user.id, member.id));
  await endConnections(tx, connectionUser.user(member.id));
  const changes = changesBetween({ role: member.role }, { role });
  await recordChange(tx, contextOf(member, requestId), "member.updated", {
    ...auditedMember(member),
    changes,
  });
}

/** The member acts: the entry of the audit log has no other author. */
const contextOf = ({ id, role }: UserRow, requestId: string) => ({
  actor: { kind: "session", userId: id, role: role as Role } as const,
  requestId,
});
