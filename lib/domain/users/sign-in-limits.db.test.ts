import { createHook } from "node:async_hooks";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { callRoute, createUser, type RouteAnswer, testHost } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { POST as signInRoute } from "../../../app/api/auth/sign-in/email/route.ts";

process.env.AUTH_FAILURES_PER_MINUTE = "15";
const { db } = await createTestDatabase();

const perAccount = 10;
const perAddress = 15;
const password = "correct horse battery";
const unknown = "nobody@example.com";

beforeEach(async () => {
  await db.execute("delete from call_rates");
});

const signIn = (email: string, given = "wrong password", address = "192.0.2.1") =>
  callRoute(signInRoute, {
    body: { email, password: given },
    headers: { origin: `http://${testHost}`, "x-client-address": address },
  });
const wrongTries = (email: string) => Array.from({ length: perAccount }, () => email);
const withStatus = (answers: RouteAnswer[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length;
/** As if so many seconds had passed: what counts are times in the database. */
const pass = (seconds: number) =>
  db.execute(sql`update call_rates set arrival = arrival - ${seconds}::float8`);
/** Tries one after the other, and as if that had taken no time. */
async function tryAll(emails: string[], address?: string): Promise<RouteAnswer[]> {
  const startedMs = performance.now();
  const answers: RouteAnswer[] = [];
  for (const email of emails) answers.push(await signIn(email, "wrong password", address));
  await pass((startedMs - performance.now()) / 1000);
  return answers;
}
/** Tries at once; also how many seconds they took, in which a limit lets some more through. */
async function tryAtOnce(count: number, attempt: (index: number) => Promise<RouteAnswer>) {
  const startedMs = performance.now();
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => attempt(index)));
  return { answers, seconds: (performance.now() - startedMs) / 1000 };
}

test("an unknown account costs as many hashes as a wrong password, and as many as a right one: one", async () => {
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

test("after ten wrong passwords an account is throttled, from every address, and no other account is", async () => {
  const member = await createUser();
  const other = await createUser();
  const wrong = await tryAll(wrongTries(member.email));
  expect(withStatus(wrong, 401)).toBe(perAccount);
  for (const given of ["wrong password", password]) {
    const { status, error } = await signIn(member.email, given, "198.51.100.1");
    expect([status, error?.code]).toEqual([429, "rate_limited"]);
  }
  expect((await signIn(other.email, password)).status).toBe(200);
});

test("however an address is written, it is one account", async () => {
  const { email } = await createUser();
  const spellings = [email, email.toUpperCase(), ` ${email} `];
  await tryAll(wrongTries(email).map((_, index) => spellings[index % 3]!));
  expect((await signIn(email)).status).toBe(429);
});

test("being throttled does not tell whether the account exists", async () => {
  const { email } = await createUser();
  const throttled = async (whom: string, address: string) => {
    await tryAll(wrongTries(whom), address);
    const { status, text, error, headers } = await signIn(whom, "wrong password", address);
    const words = text.replace(`${error?.requestId}`, "").replace(`${headers.get("retry-after")} s`, "N s");
    return { status, words, headers: [...headers.keys()].sort() };
  };
  const known = await throttled(email, "192.0.2.1");
  expect(known.status).toBe(429);
  expect(known.words).toContain('"message":"Too many requests: wait N s, as Retry-After says."');
  expect(await throttled(unknown, "192.0.2.2")).toEqual(known);
});

test("of many wrong tries at once no more than the limit are answered as wrong", async () => {
  const { email } = await createUser();
  const { answers, seconds } = await tryAtOnce(25, (index) =>
    signIn(email, `wrong ${index}`, `192.0.2.${index}`),
  );
  const wrong = withStatus(answers, 401);
  expect(wrong).toBeGreaterThanOrEqual(perAccount);
  expect(wrong).toBeLessThanOrEqual(perAccount + (seconds * perAccount) / 60);
  expect(withStatus(answers, 429)).toBe(25 - wrong);
});

test("of many wrong tries at once from an address no more than its limit are answered as wrong", async () => {
  const { answers, seconds } = await tryAtOnce(perAddress + 10, (index) =>
    signIn(`nobody${index}@example.com`),
  );
  const wrong = withStatus(answers, 401);
  expect(wrong).toBeGreaterThanOrEqual(perAddress);
  expect(wrong).toBeLessThanOrEqual(perAddress + (seconds * perAddress) / 60);
  expect(withStatus(answers, 429)).toBe(perAddress + 10 - wrong);
  expect((await signIn(unknown, "wrong password", "198.51.100.1")).status).toBe(401);
});

test("waiting as long as Retry-After says lets the right password in", async () => {
  const { email } = await createUser();
  await tryAll(wrongTries(email));
  const refused = await signIn(email, password);
  expect(refused.status).toBe(429);
  await pass(Number(refused.headers.get("retry-after")));
  expect((await signIn(email, password)).status).toBe(200);
});

test("successful sign-ins do not count, neither against the account nor against the address", async () => {
  const { email } = await createUser();
  for (let count = 0; count < perAccount + 2; count++) {
    expect((await signIn(email, password)).status).toBe(200);
  }
  expect(withStatus(await tryAll(wrongTries(email)), 401)).toBe(perAccount);
});

test("what is no attempt does not count", async () => {
  const { email } = await createUser();
  for (let count = 0; count < perAccount + 2; count++) {
    expect((await callRoute(signInRoute, { body: { email } })).status).toBe(400);
  }
  expect((await signIn(email, password)).status).toBe(200);
});
