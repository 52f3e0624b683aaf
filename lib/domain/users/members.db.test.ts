import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditLog } from "#db/schema/access";
import { account, session, user } from "#db/schema/users";
import type { AuditEntry } from "#lib/contract/audit";
import type { ListedMember, Member } from "#lib/contract/members";
import {
  callRoute,
  createKey,
  createProject,
  createUser,
  nobody,
  type TestKey,
  type TestUser,
  testHost,
} from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { POST as signInRoute } from "../../../app/api/auth/sign-in/email/route.ts";
import { GET as audit } from "../../../app/api/v1/audit/route.ts";
import { GET as me } from "../../../app/api/v1/me/route.ts";
import { DELETE, GET as getMember, PATCH } from "../../../app/api/v1/members/[userId]/route.ts";
import { POST as create, GET as list } from "../../../app/api/v1/members/route.ts";
import { POST as setup } from "../../../app/api/v1/setup/route.ts";
import { findActingUser } from "./members.ts";

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

test.each([
  ["a new password", { password: "another horse battery" }],
  ["disabling", { disabled: true }],
])("%s also ends a session that begins at the same moment", async (_kind, body) => {
  const admin = await createUser();
  const member = await createUser({ role: "analyst" });
  // The library stores the session some time after it has checked the password.
  await db.execute(`
    create or replace function wait_before_session() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
    create or replace trigger wait_before_session before insert on session
      for each row execute function wait_before_session()`);
  const changed = Promise.withResolvers<void>();
  const held = db.transaction(async (tx) => {
    await tx.execute("select pg_advisory_xact_lock(1)");
    await changed.promise;
  });
  const signingIn = signIn(member.email, password);
  const here = sql`(select oid from pg_database where datname = current_database())`;
  const waiting = sql`pg_locks where locktype = 'advisory' and not granted and database = ${here}`;
  await expect.poll(() => db.$count(waiting), { timeout: 20_000 }).toBe(1);
  expect((await change(admin, member.id, body)).status).toBe(200);
  changed.resolve();
  await held;
  const { status, error, headers } = await signingIn;
  expect([status, error?.code, headers.getSetCookie()]).toEqual([401, "session_required", []]);
  expect(await db.$count(session, eq(session.userId, member.id))).toBe(0);
});

test("exactly one of many concurrent setups creates the first admin; afterwards the route returns 404", async () => {
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

test("rejects a setup from another origin", async () => {
  const { status, error } = await callRoute(setup, {
    body: { name: "Eve", email: "eve@example.com", password },
    headers: { origin: "https://evil.example" },
  });
  expect([status, error?.code]).toEqual([403, "forbidden"]);
});

test("lists e-mail addresses and numbers of API keys only for admins", async () => {
  const admin = await createUser();
  const analyst = await createUser({ role: "analyst" });
  const seenBy = async (as: TestUser) => (await callRoute<ListedMember[]>(list, { as })).data;
  expect((await seenBy(admin)).map(({ email }) => email)).toContain(analyst.email);
  const seen = await seenBy(analyst);
  expect(new Set(seen.map(({ activeApiKeys }) => activeApiKeys))).toEqual(new Set([null]));
  expect(seen.map(({ id }) => id)).toContain(admin.id);
  expect(new Set(seen.map(({ email }) => email))).toEqual(new Set([null]));
});

test("a member signs in with the address in any case, and the cookie identifies the member", async () => {
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

test("rejects a taken address, in any case, as an issue of the field", async () => {
  const admin = await createUser();
  for (const email of [admin.email, admin.email.toUpperCase()]) {
    const answer = await callRoute(create, { as: admin, body: { name: "Bo", email, password } });
    expect(answer.error).toMatchObject({
      code: "validation_failed",
      details: [{ field: "email", code: "taken" }],
    });
  }
});

test("stores the password as a hash", async () => {
  const member = await createUser();
  const [row] = await db.select().from(account).where(eq(account.userId, member.id));
  expect(row?.password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
});

test("applies a new role from the next request", async () => {
  const admin = await createUser();
  const other = await createUser({ role: "analyst" });
  expect((await change(other, admin.id, { name: "x" })).status).toBe(403);
  expect((await change(admin, other.id, { role: "admin" })).data.role).toBe("admin");
  expect((await change(other, admin.id, { role: "analyst" })).status).toBe(200);
  expect((await change(admin, other.id, { role: "analyst" })).status).toBe(403);
});

test("keeps the last admin under concurrent changes", async () => {
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

test("ends a removed member's access at once, and rejects self-removal", async () => {
  const admin = await createUser();
  const other = await createUser();
  expect((await remove(admin, admin.id)).error?.details?.[0]?.code).toBe("own_account");
  expect((await remove(admin, other.id)).data.id).toBe(other.id);
  const answer = await callRoute(me, { as: other });
  expect([answer.status, answer.error?.code]).toEqual([401, "session_required"]);
  expect((await remove(admin, other.id)).error?.code).toBe("member_not_found");
});

test("removes a member with or without the member's API keys of all projects", async () => {
  const admin = await createUser();
  const keysOf = async (createdBy: string) => {
    const made = [];
    for (let count = 0; count < 2; count++) {
      const { id } = await createProject();
      made.push(await createKey({ projectId: id, createdBy }));
    }
    return made;
  };
  const statuses = async (made: TestKey[]) =>
    Promise.all(made.map(async (as) => (await callRoute(me, { as })).status));
  const removeWith = (userId: string, revokeApiKeys: string) =>
    callRoute<Member>(DELETE, { method: "DELETE", as: admin, params: { userId }, query: { revokeApiKeys } });
  const [kept, revoked] = [await createUser(), await createUser()];
  const [keptKeys, revokedKeys] = [await keysOf(kept.id), await keysOf(revoked.id)];
  const { projectId } = revokedKeys[0]!;
  await createKey({ projectId, createdBy: revoked.id, revokedAt: new Date() });
  const others = await createKey({ projectId, createdBy: admin.id });
  const listed = await callRoute<ListedMember[]>(list, { as: admin });
  expect(listed.data.map(({ activeApiKeys }) => activeApiKeys)).toEqual([1, 2, 2]);

  expect((await removeWith(kept.id, "false")).status).toBe(200);
  expect(await statuses(keptKeys)).toEqual([200, 200]);
  expect((await removeWith(revoked.id, "true")).status).toBe(200);
  expect(await statuses(revokedKeys)).toEqual([401, 401]);
  expect(await statuses([others])).toEqual([200]);
  const entries = await db.select().from(auditLog).where(eq(auditLog.action, "api-key.revoked"));
  expect(entries.map(({ entityId }) => entityId).sort()).toEqual(revokedKeys.map(({ id }) => id).sort());
  expect((await removeWith(admin.id, "maybe")).error?.details?.[0]).toMatchObject({ field: "revokeApiKeys" });
});

test("a new password ends the member's sessions", async () => {
  const admin = await createUser();
  const other = await createUser();
  expect((await change(admin, other.id, { password: "another password" })).status).toBe(200);
  expect(await db.select().from(session).where(eq(session.userId, other.id))).toEqual([]);
  expect((await signIn(other.email, password)).status).toBe(401);
  expect((await signIn(other.email, "another password")).status).toBe(200);
});

test("an admin cannot set the own password without the current one", async () => {
  const [admin, other] = [await createUser(), await createUser()];
  const { status, error } = await change(admin, admin.id, { password: "another password", name: "New name" });
  expect([status, error?.code]).toEqual([400, "validation_failed"]);
  expect(error?.details).toMatchObject([
    { field: "password", code: "own_account", message: expect.stringContaining("account page") },
  ]);
  const { data } = await callRoute<Member>(getMember, { as: admin, params: { userId: admin.id } });
  expect(data.name).not.toBe("New name");
  expect((await signIn(admin.email, password)).status).toBe(200);
  expect((await change(admin, other.id, { password: "another password" })).status).toBe(200);
});

test("ends a disabled member's access at once, and rejects sign-in as a wrong password until enabled", async () => {
  const admin = await createUser();
  const other = await createUser();
  expect((await change(admin, admin.id, { disabled: true })).error?.details?.[0]?.code).toBe("own_account");
  expect((await change(admin, other.id, { disabled: true })).data.disabledAt).toMatch(/Z$/);
  expect((await callRoute(me, { as: other })).error?.code).toBe("session_required");
  expect(await db.select().from(session).where(eq(session.userId, other.id))).toEqual([]);
  const rejected = await signIn(other.email, password);
  const wrong = await signIn(other.email, "a wrong password");
  expect([rejected.status, rejected.error?.code, rejected.error?.message]).toEqual([
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

test("writes member changes to the audit log, which admins can read", async () => {
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

test("commands act for the first admin who can sign in", async () => {
  const first = await createUser();
  const second = await createUser();
  expect(await findActingUser(db)).toBe(first.id);
  expect((await change(second, first.id, { disabled: true })).status).toBe(200);
  expect(await findActingUser(db)).toBe(second.id);
});
