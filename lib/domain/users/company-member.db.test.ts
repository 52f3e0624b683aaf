import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { auditLog } from "#db/schema/access";
import { account, user } from "#db/schema/users";
import type { OidcSettings } from "#lib/platform/config/environment";
import { newId } from "#lib/platform/ids/new-id";
import { createUser } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { type CompanyProfile, companyMember } from "./company-member.ts";

const { db } = await createTestDatabase();

const settings: OidcSettings = {
  issuer: "https://id.example.com",
  clientId: "forkcast",
  clientSecret: "secret",
  name: "Example",
  trustsEmail: false,
  groupsClaim: "groups",
  groups: null,
  adminGroups: null,
};
const person: CompanyProfile = { sub: "1", email: "Ada@Example.com", email_verified: true, name: "Ada" };
const arrive = (profile: CompanyProfile, changed: Partial<OidcSettings> = {}) =>
  companyMember(db, { ...settings, ...changed }, profile, newId());
const members = () => db.select({ email: user.email, name: user.name, role: user.role }).from(user);
const actions = async () =>
  (await db.select({ action: auditLog.action }).from(auditLog)).map(({ action }) => action);

beforeEach(async () => {
  await db.delete(auditLog);
  await db.delete(user);
  await createUser({ role: "admin", email: "admin@example.com" });
  await db.delete(auditLog);
});

test("the first sign-in creates an analyst and an entry in the audit log, the second nothing", async () => {
  await arrive(person);
  await arrive(person);
  expect(await members()).toContainEqual({ email: "ada@example.com", name: "Ada", role: "analyst" });
  expect(await members()).toHaveLength(2);
  expect(await actions()).toEqual(["member.created"]);
});

test("twenty sign-ins at once create one member", async () => {
  await Promise.all(Array.from({ length: 20 }, () => arrive(person)));
  expect(await members()).toHaveLength(2);
  expect(await db.$count(account, eq(account.providerId, "oidc"))).toBe(1);
});

test("a verified address links the member who has it; the same subject of another issuer is another person", async () => {
  const known = await createUser({ email: "ada@example.com" });
  await arrive(person);
  const [linked] = await db.select().from(account).where(eq(account.providerId, "oidc"));
  expect(linked).toMatchObject({ userId: known.id, accountId: "https://id.example.com 1" });
  await arrive({ ...person, email: "eve@example.com" }, { issuer: "https://other.example.com" });
  expect((await members()).map(({ email }) => email)).toContain("eve@example.com");
});

test.each<[string, CompanyProfile, Partial<OidcSettings>]>([
  ["email_not_verified", { ...person, email_verified: false }, {}],
  ["email_not_verified", { ...person, email_verified: "true" }, {}],
  ["email_not_verified", { ...person, email_verified: false, emailVerified: true }, {}],
  ["email_missing", { sub: "1" }, {}],
  ["group_not_permitted", { ...person, groups: ["sales"] }, { groups: ["planning"] }],
  ["group_not_permitted", person, { groups: ["planning"] }],
])(
  "rejects a person for %s, even one whose address belongs to a member",
  async (reason, profile, changed) => {
    await createUser({ email: "ada@example.com" });
    await expect(arrive(profile, changed)).rejects.toMatchObject({ reason });
    expect(await db.$count(account, eq(account.providerId, "oidc"))).toBe(0);
  },
);

test("an address that the provider does not call verified counts if the operator trusts the provider", async () => {
  await arrive({ sub: "1", email: "ada@example.com" }, { trustsEmail: true });
  expect(await members()).toHaveLength(2);
});

test("rejects a disabled member", async () => {
  await arrive(person);
  await db.update(user).set({ disabledAt: new Date() }).where(eq(user.email, "ada@example.com"));
  await expect(arrive(person)).rejects.toMatchObject({ reason: "account_disabled" });
});

test("groups give and take the role of admin at each sign-in, and the audit log says so", async () => {
  const byGroups = { adminGroups: ["owners"] };
  await arrive({ ...person, groups: ["owners"] }, byGroups);
  expect(await members()).toContainEqual({ email: "ada@example.com", name: "Ada", role: "admin" });
  await arrive({ ...person, groups: "staff" }, byGroups);
  expect(await members()).toContainEqual({ email: "ada@example.com", name: "Ada", role: "analyst" });
  expect(await actions()).toEqual(["member.created", "member.updated"]);
});

test("the only admin stays admin without a group of admins", async () => {
  await arrive({ ...person, email: "admin@example.com" }, { adminGroups: ["owners"] });
  expect(await members()).toMatchObject([{ email: "admin@example.com", role: "admin" }]);
});

test("without any member only an admin by group may enter", async () => {
  await db.delete(user);
  await expect(arrive(person)).rejects.toMatchObject({ reason: "setup_first" });
  await arrive({ ...person, groups: ["owners"] }, { adminGroups: ["owners"] });
  expect(await members()).toMatchObject([{ role: "admin" }]);
});

test("any claims of a verified token create a member, or are rejected without one", async () => {
  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.emailAddress(),
    fc.boolean(),
    fc.integer(),
    fc.constant(null),
    fc.array(fc.string()),
  );
  const profiles = fc.record({
    sub: fc.string({ minLength: 1, unit: "binary" }),
    email: value,
    email_verified: value,
    name: value,
    groups: value,
  });
  await fc.assert(
    fc.asyncProperty(profiles, async (profile) => {
      const before = await db.$count(user);
      const outcome = await arrive(profile, { groups: ["a"] }).then(
        () => "entered",
        (error: { reason?: string }) => error.reason ?? "failed",
      );
      expect(outcome).not.toBe("failed");
      if (outcome !== "entered") expect(await db.$count(user)).toBe(before);
    }),
    { numRuns: 60 },
  );
});
