import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase } from "#db/client";
import { generateKey } from "#lib/domain/api-keys/key-format";
import { countCall } from "#lib/platform/rate-limits/count-call";
import {
  type Caller,
  callRoute,
  createKey,
  createProject,
  createUser,
  type RouteAnswer,
  withKey,
} from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { setEnvironment } from "#testing/set-environment";
import { GET } from "../../../app/api/v1/me/route.ts";

setEnvironment({ RATE_LIMIT_PER_MINUTE: "60", RATE_LIMIT_BURST: "20", AUTH_FAILURES_PER_MINUTE: "5" });

const { db, url } = await createTestDatabase();

const { id: projectId } = await createProject();
const user = await createUser();

/** Sends a GET, from the given address if any. */
const call = (as: Caller, address?: string) =>
  callRoute(GET, { as, ...(address ? { headers: { "x-client-address": address } } : {}) });
const statuses = (answers: RouteAnswer[]) => answers.map(({ status }) => status);

/** Shifts the subject's last requests into the past. */
const letPass = (seconds: number) => db.execute(sql`update call_rates set arrival = arrival - ${seconds}`);

test("exactly the burst of a key's concurrent requests passes at once", async () => {
  const key = await createKey({ projectId });
  const begunMs = performance.now();
  const answers = await Promise.all(Array.from({ length: 50 }, () => call(key)));
  // Each second permits one more.
  const refilled = Math.floor((performance.now() - begunMs) / 1_000);
  const passed = statuses(answers).filter((status) => status === 200).length;
  expect(passed).toBeGreaterThanOrEqual(20);
  expect(passed).toBeLessThanOrEqual(20 + refilled);
  const rejected = answers.find(({ status }) => status === 429);
  expect(rejected?.error).toMatchObject({ code: "rate_limited" });
  expect(rejected?.headers.get("retry-after")).toBe("1");
  expect(rejected?.headers.get("ratelimit")).toBe('"default";r=0;t=1');
});

test("every response reports the remaining requests, out of 60 a minute", async () => {
  const key = await createKey({ projectId });
  const first = await call(key);
  expect(first.headers.get("ratelimit-policy")).toBe('"default";q=60;w=60;mps-burst=20');
  expect(first.headers.get("ratelimit")).toBe('"default";r=19;t=1');
  expect((await call(key)).headers.get("ratelimit")).toBe('"default";r=18;t=1');
});

test("a request after the time in Retry-After succeeds, and only as many as the wait permits", async () => {
  const key = await createKey({ projectId });
  await Promise.all(Array.from({ length: 20 }, () => call(key)));
  let rejected = await call(key);
  while (rejected.status === 200) rejected = await call(key);
  expect(rejected.status).toBe(429);
  await letPass(Number(rejected.headers.get("retry-after")));
  // At once, because each second permits one more.
  expect(statuses(await Promise.all([call(key), call(key)])).sort()).toEqual([200, 429]);
});

test("a state from a clock that was set back or from a slower rate does not lock out a caller", async () => {
  const key = await createKey({ projectId });
  await call(key);
  await letPass(-3_600);
  const [first, second] = [await call(key), await call(key)];
  expect([first.status, first.headers.get("ratelimit")]).toEqual([200, '"default";r=0;t=1']);
  expect([second.status, second.headers.get("retry-after")]).toEqual([429, "1"]);
});

test("two processes share the limit", async () => {
  const other = createDatabase(url);
  const rate = { perMinute: 1, burst: 30 };
  const verdicts = await Promise.all(
    Array.from({ length: 80 }, (_, index) => countCall(index % 2 ? db : other.db, "both", rate)),
  );
  expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(30);
  await other.close();
});

test("sessions are not limited", async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => call(user)));
  expect(new Set(statuses(answers))).toEqual(new Set([200]));
  expect(answers[0]?.headers.get("ratelimit")).toBe('"default";r=20;t=1');
});

test.each([
  ["malformed", () => "mps_wrong"],
  ["unknown", generateKey],
])("after five %s keys the address receives 429, and other addresses do not", async (kind, key) => {
  const address = `2001:db8::${kind}`;
  const answers: RouteAnswer[] = [];
  for (let count = 0; count < 6; count++) answers.push(await call(withKey(key()), address));
  expect(statuses(answers)).toEqual([401, 401, 401, 401, 401, 429]);
  const waitSeconds = Number(answers.at(-1)?.headers.get("retry-after"));
  expect(waitSeconds).toBeGreaterThanOrEqual(1);
  expect(waitSeconds).toBeLessThanOrEqual(12);
  expect((await call(withKey(key()), `${address}0`)).status).toBe(401);
});

test("failures that other processes counted block the address for exactly the reported time", async () => {
  const address = "2001:db8::elsewhere";
  const rate = { perMinute: 5, burst: 5 };
  for (let count = 0; count < 5; count++) await countCall(db, `failures:${address}`, rate);
  const rejected: RouteAnswer[] = [];
  for (let count = 0; count < 6; count++) rejected.push(await call(withKey(generateKey()), address));
  expect(new Set(statuses(rejected))).toEqual(new Set([429]));
  expect(rejected[0]?.headers.get("ratelimit")).toBe(
    `"default";r=0;t=${rejected[0]?.headers.get("retry-after")}`,
  );
  await letPass(Number(rejected.at(-1)?.headers.get("retry-after")));
  expect((await call(withKey(generateKey()), address)).status).toBe(401);
});

test("accepts a valid key from an address that has sent invalid keys", async () => {
  const key = await createKey({ projectId });
  for (let count = 0; count < 7; count++) await call(withKey("mps_wrong"), "2001:db8::shared");
  expect((await call(key, "2001:db8::shared")).status).toBe(200);
});

test("rejects a wrong checksum without a database access", async () => {
  const before = await db.execute(sql`select count(*) from call_rates`);
  expect((await call(withKey("mps_wrong"), "2001:db8::untouched")).status).toBe(401);
  expect(await db.execute(sql`select count(*) from call_rates`)).toEqual(before);
});

test("limits the attempts of an address that may not use a key, and not those of others", async () => {
  const key = await createKey({ projectId, allowedAddresses: ["192.0.2.7"] });
  const refused: RouteAnswer[] = [];
  for (let count = 0; count < 6; count++) refused.push(await call(key, "198.51.100.9"));
  expect(statuses(refused)).toEqual([403, 403, 403, 403, 403, 429]);
  expect((await call(key, "192.0.2.7")).status).toBe(200);
});
