import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { apiKeys, auditLog, idempotencyKeys } from "#db/schema/access";
import { uploads } from "#db/schema/datasets";
import { jobs } from "#db/schema/jobs";
import { session } from "#db/schema/users";
import { generateKey } from "#lib/domain/api-keys/key-format";
import { type Caller, callRoute, createKey, createUser, nobody, withKey } from "#testing/api";
import { createNeighbours, distinguishable } from "#testing/neighbours";
import { createTestDatabase } from "#testing/postgres";
import { isForAdmins, type RouteCase, routeCases } from "#testing/route-cases";
import { validCalls } from "#testing/valid-calls";

const { db } = await createTestDatabase();
const closed = (await routeCases())
  .filter(({ handler }) => handler.declaration.auth !== "public")
  .map((item): [string, RouteCase] => [item.name, item]);

const world = await createNeighbours();
const { projectId } = world.own;
const past = new Date(Date.now() - 60_000);
const invalid = [
  withKey(""),
  withKey("mps_nonsense"),
  withKey(` ${world.own.as.key.slice(0, -1)}`),
  withKey(`${generateKey().slice(0, -6)}000000`),
  withKey(generateKey()),
  await createKey({ projectId, revokedAt: past }),
  await createKey({ projectId, expiresAt: past }),
  await createKey({ projectId, expiresAt: new Date(Date.now() + 60_000), revokedAt: past }),
];
const deadSession = await createUser();
await db.delete(session).where(eq(session.userId, deadSession.id));
const { cookie, origin } = world.admin.headers;
const origins = [
  "http://evil.test",
  "http://service.test.evil.test",
  "http://evil.test/http://service.test",
  "http://service.test@evil.test",
  origin!.replace("http:", "https:"),
  `${origin}:8080`,
  "null",
  "",
].map((other): Caller => ({ headers: { cookie: cookie!, origin: other } }));
const crossOrigin = [{ headers: { cookie: cookie! } }, ...origins];

/** Number of changes so far. */
const countChanges = () =>
  Promise.all([auditLog, jobs, uploads, apiKeys, idempotencyKeys].map((table) => db.$count(table)));

/**
 * Sends a request that would succeed with valid credentials. All invalid credentials return the same error, and nothing
 * changes.
 */
async function rejects(
  item: RouteCase,
  callers: readonly Caller[],
  expected: [status: number, code: string],
) {
  const call = item.call(await validCalls[item.name]!(world.own));
  const headers = { ...call.headers, "idempotency-key": "an invalid key" };
  const before = await countChanges();
  const answers = [];
  for (const as of callers) answers.push(await callRoute(item.handler, { ...call, headers, as }));
  expect(await countChanges()).toEqual(before);
  expect([answers[0]!.status, answers[0]!.error?.code]).toEqual(expected);
  for (const answer of answers) expect(distinguishable(answer)).toEqual(distinguishable(answers[0]!));
}

describe.each(closed)("%s", (_name, item) => {
  test("authenticates the caller", async () => {
    await rejects(item, [nobody, { headers: { cookie: "theme=dark" } }], [401, "api_key_missing"]);
  });

  test("returns the same bytes for malformed, unknown, revoked and expired keys", async () => {
    await rejects(item, invalid, [401, "api_key_invalid"]);
  });

  test("returns a different code for an expired session", async () => {
    const forged = { headers: { ...deadSession.headers, cookie: "better-auth.session_token=x.y" } };
    await rejects(item, [deadSession, forged], [401, "session_required"]);
  });

  test("rejects a wrong key even with a valid session", async () => {
    const headers = { ...world.admin.headers, ...withKey(generateKey()).headers };
    await rejects(item, [{ headers }], [401, "api_key_invalid"]);
  });
});

test.each(closed.filter(([, { handler }]) => isForAdmins(handler)))(
  "%s rejects a key, even with an admin session",
  async (_name, item) => {
    const headers = { ...world.admin.headers, ...world.own.as.headers };
    const parts = await validCalls[item.name]!(world.own);
    const params = { ...parts.params, projectId: world.own.projectId };
    const answer = await callRoute(item.handler, { ...item.call({ ...parts, params }), as: { headers } });
    expect([answer.status, answer.error?.code]).toEqual([403, "forbidden"]);
  },
);

test.each(closed.filter(([, { changes }]) => changes))(
  "%s rejects a cookie from another origin",
  async (_name, item) => {
    await rejects(item, crossOrigin, [403, "forbidden"]);
  },
);

test("there are routes to check", () => {
  expect(closed.length).toBeGreaterThan(40);
});
