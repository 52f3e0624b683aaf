import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { auditLog } from "#db/schema/access";
import { account, user, verification } from "#db/schema/users";
import type { Member } from "#lib/contract/members";
import { runHousekeeping } from "#server/worker/housekeeping";
import { type Caller, callRoute, createUser, testHost } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { sendMailsHere } from "#testing/sent-mails";
import { setEnvironment } from "#testing/set-environment";
import { POST as requestRoute } from "../../../app/api/auth/request-password-reset/route.ts";
import { POST as resetRoute } from "../../../app/api/auth/reset-password/route.ts";
import { POST as signInRoute } from "../../../app/api/auth/sign-in/email/route.ts";
import { GET as me } from "../../../app/api/v1/me/route.ts";
import { PATCH as updateMember } from "../../../app/api/v1/members/[userId]/route.ts";
import { POST as createMember } from "../../../app/api/v1/members/route.ts";

// Each sign-in costs a hash, which takes a second on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const { db } = await createTestDatabase();
const server = await sendMailsHere(db);

const known = "correct horse battery";
const chosen = "another horse battery";
const origin = `http://${testHost}`;
const admin = await createUser();

beforeEach(async () => {
  setEnvironment({ PASSWORD_SIGN_IN: "", OIDC_ISSUER: "", OIDC_CLIENT_ID: "", OIDC_CLIENT_SECRET: "" });
  await db.execute("delete from call_rates");
});

const request = (email: string, headers = {}) => callRoute(requestRoute, { body: { email }, headers });
const reset = (token: string, newPassword = chosen, headers = {}) =>
  callRoute(resetRoute, { body: { token, newPassword }, headers: { origin, ...headers } });
const signIn = async (email: string, password: string, headers = {}) =>
  (await callRoute(signInRoute, { body: { email, password }, headers: { origin, ...headers } })).status;
const statusOf = async (as: Caller) => (await callRoute(me, { as })).status;

/** Waits until all mails were sent, and returns those to an address. */
async function mailsTo(address: string) {
  await server.isSettled();
  return server.received.filter(({ to }) => to.includes(address));
}

const tokenOf = (text: string) => /^https:\/\/forecasts\.example\.com\/new-password#(.+)$/m.exec(text)![1]!;

async function newToken(email: string): Promise<string> {
  expect((await request(email)).status).toBe(202);
  return tokenOf((await mailsTo(email))[0]!.text);
}

test("a mailed link sets the password once, and ends sessions and other links", async () => {
  const member = await createUser({ role: "analyst" });
  const others = await createUser();
  const [first, second] = [await newToken(member.email), await newToken(member.email)];
  const stored = JSON.stringify(await db.select().from(verification));
  expect(stored).not.toContain(first);
  const answer = await reset(second);
  expect(answer.status).toBe(200);
  expect([await statusOf(member), await statusOf(others)]).toEqual([401, 200]);
  expect([await signIn(member.email, known), await signIn(member.email, chosen)]).toEqual([401, 200]);
  const entries = await db.select().from(auditLog).where(eq(auditLog.entityId, member.id));
  expect(entries).toMatchObject([
    { action: "member.updated", actorId: member.id, changes: [{ field: "password", from: null, to: null }] },
  ]);
  for (const token of [first, second, "made-up"]) {
    const { status, error } = await reset(token);
    expect([status, error?.details?.[0]]).toMatchObject([400, { field: "token", code: "link_ended" }]);
  }
});

test("the mail has its recipient, a plain subject, and the same link as text and HTML", async () => {
  const { email } = await createUser();
  const token = await newToken(email);
  const [mail] = await mailsTo(email);
  expect(mail).toMatchObject({ to: [email], subject: "Your new Forkcast password" });
  expect(mail!.html).toContain(`href="https://forecasts.example.com/new-password#${token}"`);
  expect(mail!.head).toEqual(
    expect.arrayContaining([
      "from: Forkcast <forkcast@example.com>",
      `to: ${email}`,
      "auto-submitted: auto-generated",
      expect.stringMatching(/^message-id: <[\w-]+@example\.com>$/),
    ]),
  );
});

test("the answer does not depend on whether a member has the address", async () => {
  const { email } = await createUser();
  const disabled = await createUser();
  await db.update(user).set({ disabledAt: new Date() }).where(eq(user.id, disabled.id));
  const company = await createUser();
  await db.update(account).set({ providerId: "oidc" }).where(eq(account.userId, company.id));
  const addresses = [email, "nobody@example.com", disabled.email, company.email];
  const answers = await Promise.all(addresses.map((address) => request(address)));
  expect(new Set(answers.map(({ status, data }) => JSON.stringify([status, data]))).size).toBe(1);
  await mailsTo(email);
  expect(server.received.map(({ to }) => to)).toEqual([[email]]);
});

test("requests are limited for each address, known or not, and for each network", async () => {
  const { email } = await createUser();
  for (const address of [email, "nobody@example.com"]) {
    const statuses: number[] = [];
    for (const network of [1, 2, 3, 4]) {
      statuses.push((await request(address, { "x-client-address": `198.51.100.${network}` })).status);
    }
    expect(statuses).toEqual([202, 202, 202, 429]);
  }
  const fromOne: number[] = [];
  for (let count = 0; count < 11; count++) fromOne.push((await request(`${count}@example.com`)).status);
  expect(fromOne).toEqual([...Array(10).fill(202), 429]);
});

test("guessed links count as failures of the address", async () => {
  setEnvironment({ AUTH_FAILURES_PER_MINUTE: "2" });
  const statuses = [await reset("a"), await reset("b"), await reset("c")].map(({ status }) => status);
  setEnvironment({ AUTH_FAILURES_PER_MINUTE: "" });
  expect(statuses).toEqual([400, 400, 429]);
});

test("a link ends after an hour, with another new password, and while the member is disabled", async () => {
  const member = await createUser();
  const params = { userId: member.id };
  const change = (body: object) => callRoute(updateMember, { as: admin, method: "PATCH", params, body });
  const token = await newToken(member.email);
  await change({ disabled: true });
  expect((await reset(token)).status).toBe(400);
  await change({ disabled: false });
  const expiresAt = new Date(Date.now() - 1_000);
  const [row] = await db
    .update(verification)
    .set({ expiresAt })
    .where(eq(verification.value, member.id))
    .returning();
  expect(row!.createdAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
  expect((await reset(token)).status).toBe(400);
  await runHousekeeping(db);
  expect(await db.$count(verification, eq(verification.value, member.id))).toBe(0);
  const later = await newToken(member.email);
  await change({ password: "a password by an admin" });
  expect((await reset(later)).status).toBe(400);
});

test("the device of a new password signs in although wrong passwords have used up the limits", async () => {
  const { email } = await createUser();
  const token = await newToken(email);
  await db.execute(`insert into call_rates (subject, arrival)
    values ('sign-in:${email}', extract(epoch from clock_timestamp()) + 3600)`);
  const cookie = (await reset(token)).headers.getSetCookie()[0]!.split(";")[0]!;
  expect(await signIn(email, chosen)).toBe(429);
  expect(await signIn(email, chosen, { cookie })).toBe(200);
});

test("an invitation lets the new member choose a password", async () => {
  const body = { name: "Bo <b>", email: "bo@example.com", password: "a random password", invite: true };
  const created = await callRoute<Member>(createMember, { as: admin, body });
  expect([created.status, created.data]).toMatchObject([201, { role: "analyst", email: "bo@example.com" }]);
  const [mail] = await mailsTo("bo@example.com");
  expect(mail).toMatchObject({ subject: "Your Forkcast account", to: ["bo@example.com"] });
  expect((await reset(tokenOf(mail!.text))).status).toBe(200);
  expect(await signIn("bo@example.com", chosen)).toBe(200);
});

test("an address with a line break, and another recipient, is no address of a member", async () => {
  for (const email of ["bo@example.com\r\nBcc: eve@example.com", "bo@example.com, eve@example.com"]) {
    const body = { name: "Bo", email, password: "a random password", invite: true };
    expect((await callRoute(createMember, { as: admin, body })).status).toBe(400);
  }
});

test("without passwords, an invitation leads to the company's sign-in, and no link sets a password", async () => {
  setEnvironment({ PASSWORD_SIGN_IN: "0", OIDC_ISSUER: "https://id.example.com" });
  setEnvironment({ OIDC_CLIENT_ID: "forkcast", OIDC_CLIENT_SECRET: "secret" });
  const body = { name: "Di", email: "di@example.com", password: "a random password", invite: true };
  expect((await callRoute(createMember, { as: admin, body })).status).toBe(201);
  const [mail] = await mailsTo("di@example.com");
  expect(mail!.text).toContain("Sign in:\nhttps://forecasts.example.com/login");
  expect([(await request("di@example.com")).status, (await reset("x")).status]).toEqual([404, 404]);
});

test("without mail, neither routes nor invitations exist", async () => {
  setEnvironment({ SMTP_URL: "", MAIL_FROM: "", PUBLIC_URL: "" });
  expect([(await request(admin.email)).status, (await reset("x")).status]).toEqual([404, 404]);
  const body = { name: "Ed", email: "ed@example.com", password: "a random password" };
  const invited = await callRoute(createMember, { as: admin, body: { ...body, invite: true } });
  expect([invited.status, invited.error?.details?.[0]]).toMatchObject([
    400,
    { field: "invite", code: "mail_off" },
  ]);
  expect((await callRoute(createMember, { as: admin, body })).status).toBe(201);
});
