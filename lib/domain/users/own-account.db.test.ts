import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { auditLog } from "#db/schema/access";
import { session } from "#db/schema/users";
import type { EndedSessions, OwnSession } from "#lib/contract/account";
import { logger } from "#lib/platform/log/logger";
import { type Caller, callRoute, createUser, type RouteAnswer, type TestUser, testHost } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { POST as signInRoute } from "../../../app/api/auth/sign-in/email/route.ts";
import { POST as changeRoute } from "../../../app/api/v1/me/password/route.ts";
import { GET as me } from "../../../app/api/v1/me/route.ts";
import { POST as endRoute } from "../../../app/api/v1/me/sessions/end/route.ts";
import { GET as listRoute } from "../../../app/api/v1/me/sessions/route.ts";
import { PATCH as updateMember } from "../../../app/api/v1/members/[userId]/route.ts";

// Each attempt costs a hash, which takes a second on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const { db } = await createTestDatabase();

const password = "correct horse battery";
const other = "another horse battery";
const origin = `http://${testHost}`;

beforeEach(async () => {
  await db.execute("delete from call_rates");
});

const signIn = (email: string, given: string, headers: Record<string, string> = {}) =>
  callRoute(signInRoute, { body: { email, password: given }, headers: { origin, ...headers } });
const change = (as: Caller, currentPassword: string, newPassword = other) =>
  callRoute<EndedSessions>(changeRoute, { as, body: { currentPassword, newPassword } });
const list = async (as: Caller) => (await callRoute<OwnSession[]>(listRoute, { as })).data;
const end = async (as: Caller, body: object) =>
  (await callRoute<EndedSessions>(endRoute, { as, body })).data.endedSessions;
const statusOf = async (as: Caller) => (await callRoute(me, { as })).status;
/** Returns the cookies of a response as a browser sends them. */
const cookiesOf = ({ headers }: RouteAnswer, name = "") =>
  headers
    .getSetCookie()
    .map((line) => line.split(";")[0]!)
    .filter((line) => line.startsWith(name))
    .join("; ");
/** Signs in as from another browser. */
const browser = async ({ email }: TestUser, given = password, headers = {}): Promise<Caller> => ({
  headers: { origin, cookie: cookiesOf(await signIn(email, given, headers)) },
});
const device = "forkcast.device=";
/** Uses up the limit of an account for unknown devices. */
const exhaust = (email: string) =>
  db.execute(`insert into call_rates (subject, arrival)
    values ('sign-in:${email}', extract(epoch from clock_timestamp()) + 3600)
    on conflict (subject) do update set arrival = excluded.arrival`);

test("a new password ends the other sessions and known devices, and keeps the own ones", async () => {
  const member = await createUser({ role: "analyst" });
  const stranger = await createUser();
  const [own, elsewhere] = [await signIn(member.email, password), await browser(member)];
  const as = { headers: { origin, cookie: cookiesOf(own) } };
  const answer = await change(as, password);
  // The session of `createUser` is the second one.
  expect([answer.status, answer.data]).toEqual([200, { endedSessions: 2 }]);
  expect([await statusOf(as), await statusOf(elsewhere), await statusOf(member)]).toEqual([200, 401, 401]);
  expect(await statusOf(stranger)).toBe(200);
  const entries = await db.select().from(auditLog).where(eq(auditLog.entityId, member.id));
  expect(entries).toMatchObject([
    { action: "member.updated", actorId: member.id, changes: [{ field: "password", from: null, to: null }] },
  ]);
  // Only a known device signs in after guesses from many addresses.
  await exhaust(member.email);
  const former = elsewhere.headers.cookie!;
  expect((await signIn(member.email, other, { cookie: former })).status).toBe(429);
  expect((await signIn(member.email, other, { cookie: cookiesOf(own, device) })).status).toBe(429);
  const renewed = cookiesOf(answer, device);
  expect((await signIn(member.email, other, { cookie: renewed })).status).toBe(200);
  // The device is the same, so that its limit goes on.
  expect(renewed.split(".")[1]).toBe(cookiesOf(own, device).split(".")[1]);
  expect((await signIn(member.email, password, { cookie: renewed })).status).toBe(401);
});

test("a password that an admin sets ends all sessions and known devices", async () => {
  const [admin, member] = [await createUser(), await createUser({ role: "analyst" })];
  const signedIn = await browser(member);
  const params = { userId: member.id };
  const body = { password: other };
  const answer = await callRoute(updateMember, { method: "PATCH", as: admin, params, body });
  expect([answer.status, await statusOf(signedIn)]).toEqual([200, 401]);
  await exhaust(member.email);
  expect((await signIn(member.email, other, { cookie: signedIn.headers.cookie! })).status).toBe(429);
});

test("a wrong current password changes nothing, and counts as a wrong password of a sign-in", async () => {
  const member = await createUser();
  for (let count = 0; count < 10; count++) {
    const { status, error } = await change(member, "wrong password");
    expect([status, error?.code]).toEqual([400, "validation_failed"]);
    expect(error?.details).toMatchObject([{ field: "currentPassword", code: "wrong_password" }]);
  }
  for (const given of ["wrong password", password]) {
    const { status, error, headers } = await change(member, given);
    expect([status, error?.code]).toEqual([429, "rate_limited"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(300);
  }
  expect((await signIn(member.email, password)).status).toBe(429);
  expect((await signIn(member.email, password, { "x-client-address": "198.51.100.1" })).status).toBe(200);
  expect(await statusOf(member)).toBe(200);
});

test("of two concurrent changes, one succeeds", async () => {
  const member = await createUser();
  const both = [await browser(member), await browser(member)];
  const answers = await Promise.all(
    both.map((as, at) => change(as, password, `new password of browser ${at}`)),
  );
  const won = answers.findIndex(({ status }) => status === 200);
  expect([
    [200, 400],
    [400, 200],
    [200, 401],
    [401, 200],
  ]).toContainEqual(answers.map(({ status }) => status));
  expect((await signIn(member.email, `new password of browser ${won}`)).status).toBe(200);
  expect(await statusOf(both[1 - won]!)).toBe(401);
});

test("logs wrong passwords with address and request ID, without password and e-mail address", async () => {
  using log = vi.spyOn(logger(), "warn").mockReturnValue();
  const member = await createUser();
  const from = { "x-client-address": "2001:db8::7" };
  const answers = [
    await callRoute(changeRoute, {
      as: member,
      headers: from,
      body: { currentPassword: "wrong password", newPassword: other },
    }),
    await signIn(member.email, "wrong password", from),
    await signIn("nobody@example.com", "wrong password", from),
  ];
  const line = (answer: RouteAnswer, userId: string | null) => [
    { part: "sign-in", requestId: answer.headers.get("x-request-id"), address: "2001:db8::7", userId },
    "wrong password",
  ];
  const lines = log.mock.calls.filter(([, message]) => message === "wrong password");
  expect(lines).toEqual([
    line(answers[0]!, member.id),
    line(answers[1]!, member.id),
    line(answers[2]!, null),
  ]);
  expect(JSON.stringify(log.mock.calls)).not.toMatch(/@example\.com|another horse/);
  log.mockClear();
  expect((await signIn(member.email, password)).status).toBe(200);
  expect(log.mock.calls.filter(([, message]) => message === "wrong password")).toEqual([]);
});

test("lists the own sessions with device and address, and marks the current one", async () => {
  const [member, stranger] = [await createUser(), await createUser()];
  const sent = { "user-agent": "Browser/1", "x-client-address": "2001:db8::7" };
  const second = await browser(member, password, sent);
  await db.insert(session).values({
    id: "expired",
    token: "expired",
    userId: member.id,
    expiresAt: new Date(0),
  });
  const rows = await list(second);
  expect(rows).toMatchObject([
    { isCurrent: true, userAgent: "Browser/1", address: "2001:db8::7" },
    { isCurrent: false, userAgent: null, address: null },
  ]);
  expect((await list(member)).map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
  const [theirs] = await list(stranger);
  expect(rows.map(({ id }) => id)).not.toContain(theirs!.id);
});

test("records the time and the address of the last use every five minutes", async () => {
  const member = await createUser();
  const use = async (address: string) => {
    const headers = { "x-client-address": address };
    await callRoute(me, { as: member, headers });
    const [{ lastUsedAt, address: shown }] = (
      await callRoute<OwnSession[]>(listRoute, { as: member, headers })
    ).data as [OwnSession];
    return { lastUsedAt, shown };
  };
  expect((await use("192.0.2.7")).shown).toBe(null);
  const before = new Date(Date.now() - 3_600_000);
  await db.update(session).set({ updatedAt: before }).where(eq(session.userId, member.id));
  const after = await use("192.0.2.8");
  expect(after.shown).toBe("192.0.2.8");
  expect(Date.parse(after.lastUsedAt)).toBeGreaterThan(before.getTime());
  expect(await use("192.0.2.9")).toEqual(after);
});

test("ends one session, all others, and none of another member", async () => {
  const [member, stranger] = [await createUser(), await createUser()];
  const [first, second] = [await browser(member), await browser(member)];
  const [theirs] = await list(stranger);
  expect(await end(first, { sessionId: theirs!.id })).toBe(0);
  expect(await end(first, { sessionId: "unknown" })).toBe(0);
  expect(await statusOf(stranger)).toBe(200);
  const { id } = (await list(second)).find(({ isCurrent }) => isCurrent)!;
  expect(await end(first, { sessionId: id })).toBe(1);
  expect([await statusOf(first), await statusOf(second), await statusOf(member)]).toEqual([200, 401, 200]);
  expect(await end(first, {})).toBe(1);
  expect([await statusOf(first), await statusOf(member)]).toEqual([200, 401]);
  expect(await end(first, {})).toBe(0);
});
