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
/** Counts attempts from unknown devices against an account's limit, without their hashes. */
const countAttempts = (email: string, count: number) =>
  db.execute(sql`insert into call_rates (subject, arrival)
    values (${`sign-in:${email}`}, extract(epoch from clock_timestamp()) + ${count * 120}::int)
    on conflict (subject) do update set arrival = excluded.arrival`);
/** Uses up the limit of an account. A separate test covers real attempts. */
const exhaust = (email: string) => countAttempts(email, perAccount);
/** Counts further attempts against every limit that an attempt has met, without their hashes. */
const countMore = (count: number) =>
  db.execute(sql`update call_rates set
    arrival = greatest(arrival, extract(epoch from clock_timestamp())) + ${count}::int * case
      when subject like 'sign-in:%:%' then 360
      when subject like 'sign-in:%' then 120
      else ${60 / perAddress}::float8
    end`);
/** Tries in sequence, then moves the clock back so that the time since the first answer allows no further attempts. */
async function tryAll([first, ...emails]: string[], address?: string): Promise<RouteAnswer[]> {
  const answers = [await signIn(first!, "wrong password", address)];
  const startedMs = performance.now();
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

test("one address that guesses for half an hour does not keep the user from signing in elsewhere", async () => {
  const { email } = await createUser();
  await signIn(email);
  await countMore(perSource - 1);
  // One attempt of the address is admitted in each six minutes.
  for (let minute = 6; minute <= 30; minute += 6) {
    await pass(360);
    expect(withStatus(await tryAll([email, ...wrongTries(email)]), 401)).toBe(1);
  }
  expect((await signIn(email, password, "198.51.100.1")).status).toBe(200);
});

test("an account accepts 15 guesses in half an hour from any number of addresses after the first 30", async () => {
  const { email } = await createUser();
  await exhaust(email);
  const startedMs = performance.now();
  let guesses = 0;
  for (let minute = 0; minute < 30; minute += 5) {
    await pass(300);
    const attempts = Array.from({ length: 20 }, (_, n) => signIn(email, "wrong", `10.0.${minute}.${n}`));
    guesses += withStatus(await Promise.all(attempts), 401);
  }
  expect(guesses).toBeGreaterThanOrEqual(15);
  expect(guesses).toBeLessThanOrEqual(15 + (performance.now() - startedMs) / 1000 / 120);
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
  expect((await signIn(email, "wrong", "203.0.113.1", device)).status).toBe(401);
  await countMore(perSource - 2);
  expect((await signIn(email, "wrong", "203.0.113.2", device)).status).toBe(401);
  expect((await signIn(email, password, "203.0.113.99", device)).status).toBe(429);
});

test("treats all spellings of an e-mail address as one account", async () => {
  const { email } = await createUser();
  const spellings = [email, email.toUpperCase(), ` ${email} `];
  await tryAll(spellings);
  await countMore(perSource - 1 - spellings.length);
  expect((await tryAll(spellings)).map(({ status }) => status)).toEqual([401, 429, 429]);
});

test("throttling does not reveal whether the account exists", async () => {
  const { email } = await createUser();
  const throttled = async (whom: string, address: string) => {
    await signIn(whom, "wrong password", address);
    await countMore(perSource - 1);
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
  const left = 10;
  await countAttempts(email, perAccount - left);
  const { answers, seconds } = await tryAtOnce(left + 15, (index) =>
    signIn(email, `wrong ${index}`, `192.0.2.${index}`),
  );
  const wrong = withStatus(answers, 401);
  expect(wrong).toBeGreaterThanOrEqual(left);
  expect(wrong).toBeLessThanOrEqual(left + seconds / 120);
  expect(withStatus(answers, 429)).toBe(left + 15 - wrong);
});

test("rejects at most the limit of concurrent wrong attempts of an address as wrong passwords", async () => {
  const left = 5;
  const startedMs = performance.now();
  await signIn(unknown);
  await countMore(perAddress - left - 1);
  const { answers } = await tryAtOnce(left + 20, (index) => signIn(`nobody${index}@example.com`));
  const seconds = (performance.now() - startedMs) / 1000;
  const wrong = withStatus(answers, 401);
  expect(wrong).toBeGreaterThanOrEqual(left);
  expect(wrong).toBeLessThanOrEqual(left + (seconds * perAddress) / 60);
  expect(withStatus(answers, 429)).toBe(left + 20 - wrong);
  expect((await signIn(unknown, "wrong password", "198.51.100.1")).status).toBe(401);
});

test("accepts the right password after the time in Retry-After", async () => {
  const { email } = await createUser();
  await signIn(email);
  await countMore(perSource - 1);
  const rejected = await signIn(email, password);
  expect(rejected.status).toBe(429);
  await pass(Number(rejected.headers.get("retry-after")));
  expect((await signIn(email, password)).status).toBe(200);
});

test("successful sign-ins do not count, neither against the account nor against the address", async () => {
  const { email } = await createUser();
  await signIn(email);
  await countMore(perSource - 2);
  // More than both limits have left.
  for (let count = 0; count < 8; count++) {
    expect((await signIn(email, password)).status).toBe(200);
  }
  expect((await tryAll([email, email])).map(({ status }) => status)).toEqual([401, 429]);
});

test("does not count invalid requests as attempts", async () => {
  const { email } = await createUser();
  for (let count = 0; count < perSource + 2; count++) {
    expect((await callRoute(signInRoute, { body: { email } })).status).toBe(400);
  }
  expect((await signIn(email, password)).status).toBe(200);
});

test("counts all addresses of an IPv6 network as one", async () => {
  const from = async (address: string) => (await signIn(unknown, "wrong password", address)).status;
  expect(await from("2001:db8:1:2::1")).toBe(401);
  await countMore(perSource - 2);
  expect([await from("2001:db8:1:2::2"), await from("2001:db8:1:2::3")]).toEqual([401, 429]);
  expect(await from("2001:db8:1:3::1")).toBe(401);
});
