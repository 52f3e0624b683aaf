import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { account, session, user } from "#db/schema/users";
import type { AuditEntry } from "#lib/contract/audit";
import type { Member } from "#lib/contract/members";
import { callRoute, createUser, nobody, type TestUser, testHost } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { POST as signInRoute } from "../../../app/api/auth/sign-in/email/route.ts";
import { GET as audit } from "../../../app/api/v1/audit/route.ts";
import { GET as me } from "../../../app/api/v1/me/route.ts";
import { DELETE, PATCH } from "../../../app/api/v1/members/[userId]/route.ts";
import { POST as create, GET as list } from "../../../app/api/v1/members/route.ts";
import { POST as setup } from "../../../app/api/v1/setup/route.ts";

const { db } = await createTestDatabase();

beforeEach(async () => {
  await db.delete(user);
  await db.execute("delete from call_rates");
});

const password = "correct horse battery";
const signIn = (email: string, given: string) =>
  callRoute(signInRoute, { body: { email, password: given }, headers: { origin: `http://${testHost}` } });
const change = (as: TestUser, userId: string, body: unknown) =>
  callRoute<Member>(PATCH, { method: "PATCH", as, params: { userId }, body });
const remove = (as: TestUser, userId: string) =>
  callRoute<Member>(DELETE, { method: "DELETE", as, params: { userId } });

test("of many setups at once exactly one makes the first admin, and afterwards there is no such address", async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      callRoute<Member>(setup, {
        as: nobody,
        body: { name: "First", email: `first${index}@example.com`, password },
      }),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, 404, 404, 404, 404, 404, 404, 404]);
  expect(await db.select({ role: user.role }).from(user)).toEqual([{ role: "admin" }]);
  const late = await callRoute(setup, { body: { name: "Late", email: "late@example.com", password } });
  expect([late.status, late.error?.code]).toEqual([404, "not_found"]);
});

test("a member signs in with the password, in any case of the address, and is known by the cookie", async () => {
  const admin = await createUser();
  const created = await callRoute<Member>(create, {
    as: admin,
    body: { name: "Bo", email: "Bo@Example.com", password },
  });
  expect(created).toMatchObject({ status: 201, data: { email: "bo@example.com", role: "analyst" } });
  expect(created.text).not.toContain(password);
  const answer = await signIn("BO@example.com", password);
  expect(answer.status).toBe(200);
  const cookie = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
  const known = await callRoute(me, { as: { headers: { cookie: cookie.join("; ") } } });
  expect(known.data).toMatchObject({ kind: "session", userId: created.data.id, role: "analyst", name: "Bo" });
});

test("an address that is taken, in any case, is a fault of the field", async () => {
  const admin = await createUser();
  for (const email of [admin.email, admin.email.toUpperCase()]) {
    const answer = await callRoute(create, { as: admin, body: { name: "Bo", email, password } });
    expect(answer.error).toMatchObject({
      code: "validation_failed",
      details: [{ field: "email", code: "taken" }],
    });
  }
});

test("the password is stored as a hash", async () => {
  const member = await createUser();
  const [row] = await db.select().from(account).where(eq(account.userId, member.id));
  expect(row?.password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
});

test("a new role holds from the next request on", async () => {
  const admin = await createUser();
  const other = await createUser({ role: "analyst" });
  expect((await change(other, admin.id, { name: "x" })).status).toBe(403);
  expect((await change(admin, other.id, { role: "admin" })).data.role).toBe("admin");
  expect((await change(other, admin.id, { role: "analyst" })).status).toBe(200);
  expect((await change(admin, other.id, { role: "analyst" })).status).toBe(403);
});

test("the last admin stays one, however many try at once", async () => {
  const first = await createUser();
  const second = await createUser();
  const answers = await Promise.all([
    change(first, second.id, { role: "analyst" }),
    change(second, first.id, { role: "analyst" }),
  ]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const [admin] = await db.select().from(user).where(eq(user.role, "admin"));
  const only = admin?.id === first.id ? first : second;
  for (const answer of [await change(only, only.id, { role: "analyst" }), await remove(only, only.id)]) {
    expect(answer.error).toMatchObject({ code: "validation_failed", details: [{ code: "last_admin" }] });
  }
});

test("who is removed is out at once; nobody removes themselves", async () => {
  const admin = await createUser();
  const other = await createUser();
  expect((await remove(admin, admin.id)).error?.details?.[0]?.code).toBe("own_account");
  expect((await remove(admin, other.id)).data.id).toBe(other.id);
  const answer = await callRoute(me, { as: other });
  expect([answer.status, answer.error?.code]).toEqual([401, "session_required"]);
  expect((await remove(admin, other.id)).error?.code).toBe("member_not_found");
});

test("a new password ends the member's sessions", async () => {
  const admin = await createUser();
  const other = await createUser();
  expect((await change(admin, other.id, { password: "another password" })).status).toBe(200);
  expect(await db.select().from(session).where(eq(session.userId, other.id))).toEqual([]);
  expect((await signIn(other.email, password)).status).toBe(401);
  expect((await signIn(other.email, "another password")).status).toBe(200);
});

test("who is disabled is out at once and cannot sign in, in the words for a wrong password, until enabled", async () => {
  const admin = await createUser();
  const other = await createUser();
  expect((await change(admin, admin.id, { disabled: true })).error?.details?.[0]?.code).toBe("own_account");
  expect((await change(admin, other.id, { disabled: true })).data.disabledAt).toMatch(/Z$/);
  expect((await callRoute(me, { as: other })).error?.code).toBe("session_required");
  expect(await db.select().from(session).where(eq(session.userId, other.id))).toEqual([]);
  const refused = await signIn(other.email, password);
  const wrong = await signIn(other.email, "a wrong password");
  expect([refused.status, refused.error?.code, refused.error?.message]).toEqual([
    401,
    wrong.error?.code,
    wrong.error?.message,
  ]);
  expect(await db.select().from(session).where(eq(session.userId, other.id))).toEqual([]);
  expect((await change(admin, other.id, { disabled: false })).data.disabledAt).toBe(null);
  expect((await signIn(other.email, password)).status).toBe(200);
});

test("an admin who is disabled does not count as the one that must remain", async () => {
  const admin = await createUser();
  const other = await createUser();
  await change(admin, other.id, { disabled: true });
  for (const answer of [await change(admin, admin.id, { role: "analyst" }), await remove(admin, admin.id)]) {
    expect(answer.error).toMatchObject({ code: "validation_failed", details: [{ code: "last_admin" }] });
  }
});

test("what is done with members stands in the audit log that admins read", async () => {
  const admin = await createUser();
  const other = await createUser({ role: "analyst" });
  await change(admin, other.id, { role: "admin" });
  await change(admin, other.id, { disabled: true });
  await change(admin, other.id, { disabled: false });
  await remove(admin, other.id);
  const log = await callRoute<AuditEntry[]>(audit, {
    as: admin,
    query: { entityType: "member", limit: "3" },
  });
  expect(
    log.data.map(({ action, entityId, actorId, projectId }) => [action, entityId, actorId, projectId]),
  ).toEqual(["deleted", "enabled", "disabled"].map((deed) => [`member.${deed}`, other.id, admin.id, null]));
  expect(log.headers.get("link")).toContain("entityType=member");
});

test("analysts see the members", async () => {
  const analyst = await createUser({ role: "analyst" });
  const answer = await callRoute<Member[]>(list, { as: analyst });
  expect(answer.data.map(({ id }) => id)).toEqual([analyst.id]);
});
