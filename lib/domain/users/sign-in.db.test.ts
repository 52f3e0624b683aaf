import { beforeEach, expect, test } from "vitest";
import { createDatabase } from "#db/client";
import { session } from "#db/schema/users";
import type { RouteHandler } from "#lib/api/route-declaration";
import { databaseConnection, provideDatabase } from "#lib/platform/database/process-database";
import { callRoute, createUser, type RouteCall, testHost } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { GET as getSession } from "../../../app/api/auth/get-session/route.ts";
import { POST as signInRoute } from "../../../app/api/auth/sign-in/email/route.ts";
import { POST as signOut } from "../../../app/api/auth/sign-out/route.ts";
import { GET as me } from "../../../app/api/v1/me/route.ts";

const { db } = await createTestDatabase();

beforeEach(async () => {
  await db.execute("delete from call_rates");
});

const password = "correct horse battery";
const origin = `http://${testHost}`;
const signIn = (body: unknown, headers: Record<string, string> = { origin }) =>
  callRoute(signInRoute, { method: "POST", body, headers });

/** Discards the sign-in library's instance, which keeps its first database. */
const forgetLibrary = () => Object.assign(globalThis, { authOfProcess: undefined });

/** The exact error envelope, except for the request id, which is the header's. */
const rejection = (headers: Headers, code: string, message: unknown, details?: unknown) => ({
  success: false,
  error: { code, message, ...(details ? { details } : {}), requestId: headers.get("x-request-id") },
});

test("returns the sign-in library's body and the session cookie on success", async () => {
  const member = await createUser();
  const answer = await signIn({ email: member.email, password });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ redirect: false, user: { id: member.id, email: member.email } });
  expect(answer.headers.getSetCookie()[0]).toMatch(/; HttpOnly; SameSite=Lax$/i);
});

test("returns the same bytes for a wrong password and an unknown account, except for the request id", async () => {
  const member = await createUser();
  const answers = [
    await signIn({ email: member.email, password: "wrong password" }),
    await signIn({ email: "nobody@example.com", password: "wrong password" }),
  ];
  for (const { status, body, headers, text } of answers) {
    expect(status).toBe(401);
    expect(body).toEqual(rejection(headers, "session_required", "Email or password is wrong."));
    expect(headers.getSetCookie()).toEqual([]);
    expect(text.length).toBe(answers[0]?.text.length);
  }
  const names = answers.map(({ headers }) => [...headers.keys()].sort());
  expect(names[0]).toEqual(names[1]);
});

test.each<[unknown, string, unknown]>([
  ["", "malformed_json", undefined],
  ['{"email":', "malformed_json", undefined],
  ["[]", "validation_failed", [{ code: "invalid_type" }]],
  [{}, "validation_failed", [{ field: "email" }, { field: "password" }]],
  [{ email: "x", password }, "validation_failed", [{ field: "email" }]],
  [{ email: 1, password: null }, "validation_failed", [{ field: "email" }, { field: "password" }]],
  [{ email: "a@b.cd", password, admin: true }, "validation_failed", [{ field: "admin" }]],
  [{ email: "a@b.cd", password: "x".repeat(129) }, "validation_failed", [{ field: "password" }]],
])("rejects the body %j in the envelope", async (body, code, details) => {
  const { status, error } = await signIn(body);
  expect([status, error?.code]).toEqual([400, code]);
  if (details) expect(error?.details).toMatchObject(details);
  expect(error?.details?.length).toBe((details as unknown[] | undefined)?.length);
});

test("rejects a body in another format, and one that is too large, in the envelope", async () => {
  const form = await signIn("email=a", { "content-type": "application/x-www-form-urlencoded" });
  expect([form.status, form.error?.code]).toEqual([415, "unsupported_media_type"]);
  const large = await signIn({ email: "a@b.cd", password: "x".repeat(10_000) });
  expect([large.status, large.error?.code]).toEqual([413, "payload_too_large"]);
});

test("a page of another site cannot sign anybody in or out", async () => {
  const member = await createUser();
  const evil = { origin: "http://evil.test" };
  const calls: [RouteHandler, RouteCall][] = [
    [signOut, { body: {}, as: member, headers: evil }],
    [signInRoute, { body: { email: member.email, password }, headers: evil }],
  ];
  for (const [route, call] of calls) {
    const { status, body, headers } = await callRoute(route, call);
    const message =
      "A change with a session cookie must come from the service's own pages. Send the service's own scheme and host in the header Origin.";
    expect(status).toBe(403);
    expect(body).toEqual(
      rejection(headers, "forbidden", message, [{ field: "Origin", code: "foreign_origin", message }]),
    );
  }
  expect((await callRoute(me, { as: member })).status).toBe(200);
});

test("a program signs in without an origin, and signs out with one", async () => {
  const member = await createUser();
  expect((await signIn({ email: member.email, password }, {})).status).toBe(200);
  const out = await callRoute(signOut, { body: {}, as: member });
  expect([out.status, out.body]).toEqual([200, { success: true }]);
  expect((await callRoute(me, { as: member })).error?.code).toBe("session_required");
});

test("returns the session of a signed-in caller, and null otherwise", async () => {
  const member = await createUser();
  const path = "/api/auth/get-session";
  expect((await callRoute(getSession, { path, as: member })).body).toMatchObject({ user: { id: member.id } });
  expect((await callRoute(getSession, { path })).body).toBeNull();
});

test("restricts the cookie to HTTPS and this host if the caller uses HTTPS", async () => {
  const member = await createUser();
  const headers = { origin: `https://${testHost}`, "x-forwarded-proto": "https" };
  const answer = await signIn({ email: member.email, password }, headers);
  const [line] = answer.headers.getSetCookie();
  expect(line).toMatch(/^__Host-[^;]+;.*; HttpOnly; SameSite=Lax; Secure$/i);
  expect(line).toMatch(/; Path=\/;/i);
  expect(line).not.toMatch(/domain=/i);
  const cookie = line!.split(";")[0]!;
  const by = (sent: Record<string, string>) => callRoute<{ userId: string }>(me, { as: { headers: sent } });
  expect((await by({ ...headers, cookie })).data.userId).toBe(member.id);
  // The two names are not interchangeable: a cookie set without TLS is invalid.
  const planted = cookie.replace("__Host-", "");
  expect((await by({ ...headers, cookie: planted })).error?.code).toBe("api_key_missing");
  expect((await by({ origin, cookie })).error?.code).toBe("api_key_missing");
  expect((await callRoute(signOut, { body: {}, as: { headers: { ...headers, cookie } } })).status).toBe(200);
  expect((await by({ ...headers, cookie })).error?.code).toBe("session_required");
});

test("reports neither a sign-in state nor a wrong password while the database is unavailable", async () => {
  const member = await createUser();
  const present = databaseConnection();
  const away = createDatabase("postgres://nobody@127.0.0.1:1/nothing");
  provideDatabase(away);
  forgetLibrary();
  try {
    for (const answer of [
      await signIn({ email: member.email, password }),
      await callRoute(signOut, { body: {}, as: member }),
      await callRoute(getSession, { path: "/api/auth/get-session", as: member }),
    ]) {
      expect([answer.status, answer.error?.code]).toEqual([503, "service_unavailable"]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  } finally {
    provideDatabase(present);
    forgetLibrary();
    await away.close();
  }
  expect(await db.$count(session)).toBeGreaterThan(0);
});
