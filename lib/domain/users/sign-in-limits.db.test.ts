import { createHook } from "node:async_hooks";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { callRoute, createUser, type RouteAnswer, testHost } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { setEnvironment } from "#testing/set-environment";
import { POST as signInRoute } from "../../../app/api/auth/sign-in/email/route.ts";

setEnvironment({ AUTH_FAILURES_PER_MINUTE: "15" });
// Each wrong password costs a hash, which takes a second on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
const { db } = await createTestDatabase();

const perSource = 10;
const perAccount = 30;
const perAddress = 15;
const password = "correct horse battery";
const unknown = "nobody@example.com";

beforeEach(async () => {
  await db.execute("delete from call_rates");
});

const signIn = (email: string, given = "wrong password", address = "192.0.2.1", cookie = "") =>
  callRoute(signInRoute, {
    body: { email, password: given },
    headers: { origin: `http://${testHost}`, "x-client-address": address, ...(cookie && { cookie }) },
  });
/** Returns the device cookie of a successful sign-in. */
const deviceOf = ({ headers }: RouteAnswer) =>
  headers
    .getSetCookie()
    .map((line) => line.split(";")[0]!)
    .find((line) => line.startsWith("forkcast.device="))!;
const wrongTries = (email: string) => Array.from({ length: perSource }, () => email);
const withStatus = (answers: RouteAnswer[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length;
/** Moves the limits' timestamps in the database back by so many seconds. */
const pass = (seconds: number) =>
  db.execute(sql`update call_rates set arrival = arrival - ${seconds}::float8`);
/** Uses up the limit of an account. A separate test covers real attempts; each costs a hash. */
const exhaust = (email: string) =>
  db.execute(sql`insert into call_rates (subject, arrival)
    values (${`sign-in:${email}`}, extract(epoch from clock_timestamp()) + ${perAccount * 120}::int)
    on conflict (subject) do update set arrival = excluded.arrival`);
/** Tries in sequence, without counting the elapsed time. */
async function tryAll(emails: string[], address?: string): Promise<RouteAnswer[]> {
  const startedMs = performance.now();
  const answers: RouteAnswer[] = [];
  for (const email of emails) answers.push(await signIn(email, "wrong password", address));
  await pass((startedMs - performance.now()) / 1000);
  return answers;
}
/** Tries concurrently. Also returns the elapsed seconds, in which the limit admits more attempts. */
async function tryAtOnce(count: number, attempt: (index: number) => Promise<RouteAnswer>) {
  const startedMs = performance.now();
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => attempt(index)));
  return { answers, seconds: (performance.now() - startedMs) / 1000 };
}

test("computes one hash for an unknown account, a wrong password and a right one", async () => {
  const member = await createUser();
  let hashes = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === "SCRYPTREQUEST") hashes++;
    },
  }).enable();
  const counted = async (email: string, given?: string) => {
    hashes = 0;
    await signIn(email, given);
    return hashes;
  };
  try {
    expect(await counted(unknown)).toBe(1);
    expect(await counted(member.email)).toBe(1);
    expect(await counted(member.email, password)).toBe(1);
  } finally {
    hook.disable();
  }
});

test("throttles an account after ten wrong passwords from an address, and only from that address", async () => {
  const member = await createUser();
  const other = await createUser();
  const wrong = await tryAll(wrongTries(member.email));
  expect(withStatus(wrong, 401)).toBe(perSource);
  for (const given of ["wrong password", password]) {
    const { status, error } = await signIn(member.email, given);
    expect([status, error?.code]).toEqual([429, "rate_limited"]);
  }
  expect((await signIn(member.email, password, "198.51.100.1")).status).toBe(200);
  expect((await signIn(other.email, password)).status).toBe(200);
});

test("one address that guesses for an hour does not keep the user from signing in elsewhere", async () => {
  const { email } = await createUser();
  // Two more than the limit of the address in each six minutes.
  for (let minute = 0; minute < 60; minute += 6) {
    await tryAll(minute === 0 ? wrongTries(email) : [email, email, email]);
    await pass(360);
  }
  expect((await signIn(email, password, "198.51.100.1")).status).toBe(200);
});

test("an account accepts 30 guesses an hour from any number of addresses after the first 30", async () => {
  const { email } = await createUser();
  await exhaust(email);
  const startedMs = performance.now();
  let guesses = 0;
  for (let minute = 0; minute < 60; minute += 5) {
    await pass(300);
    const attempts = Array.from({ length: 20 }, (_, n) => signIn(email, "wrong", `10.0.${minute}.${n}`));
    guesses += withStatus(await Promise.all(attempts), 401);
  }
  expect(guesses).toBeGreaterThanOrEqual(30);
  expect(guesses).toBeLessThanOrEqual(30 + (performance.now() - startedMs) / 1000 / 120);
});

test("a device that signed in before is exempt from the account's limit, but not from its own", async () => {
  const { email } = await createUser();
  const other = await createUser();
  const device = deviceOf(await signIn(email, password));
  expect(device).toMatch(/^forkcast\.device=[\w-]+\.[\w-]{43}$/);
  await exhaust(email);
  const elsewhere = "198.51.100.1";
  expect((await signIn(email, password, elsewhere)).status).toBe(429);
  expect((await signIn(email, password, elsewhere, device)).status).toBe(200);
  // The cookie is bound to the account.
  await exhaust(other.email);
  expect((await signIn(other.email, password, elsewhere, device)).status).toBe(429);
  for (let n = 0; n < perSource; n++) await signIn(email, "wrong", `203.0.113.${n}`, device);
  expect((await signIn(email, password, "203.0.113.99", device)).status).toBe(429);
});

test("treats all spellings of an e-mail address as one account", async () => {
  const { email } = await createUser();
  const spellings = [email, email.toUpperCase(), ` ${email} `];
  await tryAll(wrongTries(email).map((_, index) => spellings[index % 3]!));
  expect((await signIn(email)).status).toBe(429);
});

test("throttling does not reveal whether the account exists", async () => {
  const { email } = await createUser();
  const throttled = async (whom: string, address: string) => {
    await tryAll(wrongTries(whom), address);
    const { status, text, error, headers } = await signIn(whom, "wrong password", address);
    const words = text.replace(`${error?.requestId}`, "").replace(`${headers.get("retry-after")} s`, "N s");
    return { status, words, headers: [...headers.keys()].sort() };
  };
  const known = await throttled(email, "192.0.2.1");
  expect(known.status).toBe(429);
  expect(known.words).toContain('"message":"Too many requests. Retry after N s."');
  expect(await throttled(unknown, "192.0.2.2")).toEqual(known);
});

test("rejects at most the limit of concurrent wrong attempts as wrong passwords", async () => {
  const { email } = await createUser();
  const { answers, seconds } = await tryAtOnce(perAccount + 15, (index) =>
    signIn(email, `wrong ${index}`, `192.0.2.${index}`),
  );
  const wrong = withStatus(answers, 401);
  expect(wrong).toBeGreaterThanOrEqual(perAccount);
  expect(wrong).toBeLessThanOrEqual(perAccount + seconds / 120);
  expect(withStatus(answers, 429)).toBe(perAccount + 15 - wrong);
});

test("rejects at most the limit of concurrent wrong attempts of an address as wrong passwords", async () => {
  const { answers, seconds } = await tryAtOnce(perAddress + 10, (index) =>
    signIn(`nobody${index}@example.com`),
  );
  const wrong = withStatus(answers, 401);
  expect(wrong).toBeGreaterThanOrEqual(perAddress);
  expect(wrong).toBeLessThanOrEqual(perAddress + (seconds * perAddress) / 60);
  expect(withStatus(answers, 429)).toBe(perAddress + 10 - wrong);
  expect((await signIn(unknown, "wrong password", "198.51.100.1")).status).toBe(401);
});

test("accepts the right password after the time in Retry-After", async () => {
  const { email } = await createUser();
  await tryAll(wrongTries(email));
  const refused = await signIn(email, password);
  expect(refused.status).toBe(429);
  await pass(Number(refused.headers.get("retry-after")));
  expect((await signIn(email, password)).status).toBe(200);
});

test("successful sign-ins do not count, neither against the account nor against the address", async () => {
  const { email } = await createUser();
  for (let count = 0; count < perSource + 2; count++) {
    expect((await signIn(email, password)).status).toBe(200);
  }
  expect(withStatus(await tryAll(wrongTries(email)), 401)).toBe(perSource);
});

test("does not count invalid requests as attempts", async () => {
  const { email } = await createUser();
  for (let count = 0; count < perSource + 2; count++) {
    expect((await callRoute(signInRoute, { body: { email } })).status).toBe(400);
  }
  expect((await signIn(email, password)).status).toBe(200);
});

test("counts all addresses of an IPv6 network as one", async () => {
  const statuses: number[] = [];
  for (let at = 0; at <= perSource; at++)
    statuses.push((await signIn(unknown, "wrong password", `2001:db8:1:2::${at}`)).status);
  expect(statuses).toEqual([...Array.from({ length: perSource }, () => 401), 429]);
  expect((await signIn(unknown, "wrong password", "2001:db8:1:3::1")).status).toBe(401);
});
