import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { account, session, user } from "#db/schema/users";
import { callRoute, createUser, testHost } from "#testing/api";
import { startIdentityProvider } from "#testing/identity-provider";
import { createTestDatabase } from "#testing/postgres";
import { setEnvironment } from "#testing/set-environment";
import { GET as finish } from "../../../app/api/auth/callback/oidc/route.ts";
import { POST as passwordRoute } from "../../../app/api/auth/sign-in/email/route.ts";
import { GET as start } from "../../../app/api/auth/sign-in/oidc/route.ts";
import { GET as me } from "../../../app/api/v1/me/route.ts";

const { db } = await createTestDatabase();
const provider = await startIdentityProvider(`http://${testHost}/api/auth/callback/oidc`);
afterAll(() => provider.stop());

const ada = {
  sub: "ada",
  email: "ada@example.com",
  email_verified: true,
  name: "Ada Lovelace",
  groups: ["staff"],
};
const configure = (changed: Record<string, string> = {}) => {
  Object.assign(globalThis, { companyAuthOfProcess: undefined, authOfProcess: undefined });
  setEnvironment({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_GROUPS: "",
    OIDC_ADMIN_GROUPS: "",
    PASSWORD_SIGN_IN: "",
    ...changed,
  });
};

beforeEach(async () => {
  configure();
  provider.state.person = ada;
  await db.delete(user);
  await createUser({ role: "admin", email: "admin@example.com" });
});

const cookiesOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

/** Begins a sign-in, and returns the provider's answer as an address, with the cookie of the browser. */
async function comeBack(next = "/projects"): Promise<{ query: Record<string, string>; cookie: string }> {
  const begun = await callRoute(start, { query: { next } });
  expect(begun.status).toBe(302);
  const answer = await provider.visit(begun.headers.get("location")!);
  return { query: Object.fromEntries(new URL(answer).searchParams), cookie: cookiesOf(begun.headers) };
}

async function signIn(next?: string) {
  const { query, cookie } = await comeBack(next);
  return callRoute(finish, { query, headers: { cookie } });
}

test("signs a new analyst in, who comes back to the page that was asked for", async () => {
  const page = "/projects/1/scenarios/compare?ids=a,b&baselineId=a";
  const { status, headers } = await signIn(page);
  expect([status, headers.get("location")]).toEqual([302, page]);
  const answer = await callRoute(me, { headers: { cookie: cookiesOf(headers) } });
  expect(answer.data).toMatchObject({ email: "ada@example.com", name: "Ada Lovelace", role: "analyst" });
  const [stored] = await db.select().from(account).where(eq(account.providerId, "oidc"));
  expect(stored).toMatchObject({ accessToken: null, refreshToken: null, idToken: null });
});

test("a second sign-in finds the same member", async () => {
  await signIn();
  await signIn();
  expect(await db.$count(user)).toBe(2);
});

test.each(["https://evil.example.com/", "//evil.example.com/", "/\\evil.example.com"])(
  "never leads to another site: %s",
  async (next) => {
    const { headers } = await signIn(next);
    expect(headers.get("location")).toBe("/projects");
  },
);

test.each<[string, object | null, Record<string, string>]>([
  ["email_not_verified", { ...ada, email_verified: false }, {}],
  ["group_not_permitted", ada, { OIDC_GROUPS: "planning, finance" }],
  ["access_denied", null, {}],
])("shows the reason %s on the sign-in page, without a session", async (reason, person, environment) => {
  configure(environment);
  provider.state.person = person as typeof ada | null;
  const { status, headers } = await signIn();
  const shown = new URL(headers.get("location")!, "http://here");
  expect([status, shown.pathname, shown.searchParams.get("error")]).toEqual([302, "/login", reason]);
  expect(await db.$count(session)).toBe(1); // The admin's.
});

test("a disabled member gets no session", async () => {
  await signIn();
  await db.delete(session);
  await db.update(user).set({ disabledAt: new Date() }).where(eq(user.email, "ada@example.com"));
  const { headers } = await signIn();
  expect(headers.get("location")).toContain("error=account_disabled");
  expect(await db.$count(session)).toBe(0);
});

test("groups make an admin", async () => {
  configure({ OIDC_ADMIN_GROUPS: "owners" });
  provider.state.person = { ...ada, groups: ["staff", "owners"] };
  await signIn();
  expect(await db.select({ role: user.role }).from(user).where(eq(user.email, "ada@example.com"))).toEqual([
    { role: "admin" },
  ]);
});

test("rejects an answer in another browser, a second use, and an invented one", async () => {
  const { query, cookie } = await comeBack();
  const outcomes = [
    await callRoute(finish, { query }),
    await callRoute(finish, { query: { code: "x", state: "y" }, headers: { cookie } }),
    await callRoute(finish, {}),
  ];
  const before = await db.$count(session);
  await callRoute(finish, { query, headers: { cookie } });
  outcomes.push(await callRoute(finish, { query, headers: { cookie } }));
  for (const { status, headers } of outcomes) {
    expect(status).toBe(302);
    expect(headers.get("location")).toMatch(/^\/login\?error=\w+|^http:\/\/service\.test\/login\?error=\w+/);
  }
  expect(await db.$count(session)).toBe(before + 1);
});

test("a provider that does not answer leads back to the sign-in page, and works once it answers", async () => {
  configure({ OIDC_ISSUER: "http://127.0.0.1:9" });
  const failed = await callRoute(start, {});
  expect(failed.headers.get("location")).toBe("/login?error=provider_unreachable");
  configure();
  expect((await signIn()).headers.get("location")).toBe("/projects");
});

test("passwords can be switched off", async () => {
  configure({ PASSWORD_SIGN_IN: "0" });
  const body = { email: "admin@example.com", password: "correct horse battery" };
  const { status, error } = await callRoute(passwordRoute, {
    body,
    headers: { origin: `http://${testHost}` },
  });
  expect([status, error?.code]).toEqual([403, "forbidden"]);
});

test("without a provider, both addresses do not exist", async () => {
  configure({ OIDC_ISSUER: "", OIDC_CLIENT_ID: "", OIDC_CLIENT_SECRET: "" });
  for (const route of [start, finish]) expect((await callRoute(route, {})).status).toBe(404);
});
