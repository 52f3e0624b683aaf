import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { apiKeys } from "#db/schema/access";
import { checkpoints } from "#db/schema/checkpoints";
import { projects } from "#db/schema/projects";
import { session, user } from "#db/schema/users";
import { newId } from "#lib/platform/ids/new-id";
import {
  type Caller,
  callRoute,
  createKey,
  createUser,
  forgetKeyLeases,
  type TestKey,
  type TestUser,
} from "#testing/api";
import { createNeighbours, distinguishable } from "#testing/neighbours";
import { createTestDatabase } from "#testing/postgres";
import { isForAdmins, type RouteCase, routeCases } from "#testing/route-cases";
import { validCalls } from "#testing/valid-calls";

// A stored response belongs to the caller who received it, and only while the same request would still be permitted.

const { db } = await createTestDatabase();
const replayed = (await routeCases())
  .filter(({ handler }) => handler.declaration.idempotent)
  .map((item): [string, RouteCase] => [item.name, item]);

const world = await createNeighbours();

/** Prepares a valid request that can be repeated unchanged, under the same or another idempotency key. */
async function repeatable(item: RouteCase, project = world.own) {
  const call = item.call(await validCalls[item.name]!(project));
  return (as: Caller, idempotencyKey: string) =>
    callRoute(item.handler, { ...call, as, headers: { ...call.headers, "idempotency-key": idempotencyKey } });
}

const past = new Date(Date.now() - 1000);
const changeKey = async ({ id }: TestKey, change: Partial<typeof apiKeys.$inferInsert>) => {
  await db.update(apiKeys).set(change).where(eq(apiKeys.id, id));
  forgetKeyLeases();
};
const changeUser = ({ id }: TestUser, change: Partial<typeof user.$inferInsert>) =>
  db.update(user).set(change).where(eq(user.id, id));
const signOut = ({ id }: TestUser) => db.delete(session).where(eq(session.userId, id));

type Loss<T> = [name: string, lose: (caller: T) => PromiseLike<unknown>, status: number, code: string];
const keyLosses: Loss<TestKey>[] = [
  ["is revoked", (key) => changeKey(key, { revokedAt: past }), 401, "api_key_invalid"],
  ["has expired", (key) => changeKey(key, { expiresAt: past }), 401, "api_key_invalid"],
];
const userLosses: Loss<TestUser>[] = [
  ["has signed out", signOut, 401, "session_required"],
  ["is disabled", (one) => changeUser(one, { disabledAt: past }), 401, "session_required"],
  ["is removed", ({ id }) => db.delete(user).where(eq(user.id, id)), 401, "session_required"],
];
const demotion: Loss<TestUser> = [
  "is no longer an admin",
  (one) => changeUser(one, { role: "analyst" }),
  403,
  "forbidden",
];

/**
 * The first request succeeds. After the loss, a repeat returns the same error as a request with a new idempotency key.
 */
async function losesAnswer<T extends Caller>(item: RouteCase, as: T, [, lose, status, code]: Loss<T>) {
  const call = await repeatable(item);
  const idempotencyKey = newId();
  const first = await call(as, idempotencyKey);
  expect(first.status, first.text).toBeLessThan(300);
  const again = await call(as, idempotencyKey);
  expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
  await lose(as);
  const rejected = await call(as, idempotencyKey);
  expect([rejected.status, rejected.error?.code]).toEqual([status, code]);
  expect(distinguishable(rejected)).toEqual(distinguishable(await call(as, newId())));
}

/** Removes checkpoints, because the requests here would reach the limit of 20. */
beforeEach(async () => {
  await db.delete(checkpoints).where(eq(checkpoints.state, "reserved"));
});

test("there are routes that store their responses", () => {
  expect(replayed.length).toBeGreaterThan(8);
});

const adminsOnly = ({ handler }: RouteCase) => isForAdmins(handler);

test.each(
  replayed.flatMap(([name, item]) =>
    [...userLosses, ...(adminsOnly(item) ? [demotion] : [])].map(
      (loss) => [name, loss[0], item, loss] as const,
    ),
  ),
)("%s returns no stored response to a user who %s", async (_name, _loss, item, loss) => {
  await losesAnswer(item, await createUser({ role: "admin" }), loss);
});

describe.each(replayed.filter(([, item]) => !adminsOnly(item)))("%s", (_name, item) => {
  test.each(keyLosses)("returns no stored response to a key that %s", async (...loss) => {
    await losesAnswer(item, await createKey({ projectId: world.own.projectId }), loss);
  });

  test("returns no stored response to a key whose project is being deleted", async () => {
    const { projectId } = world.own;
    // Bypasses the triggers: a project that others depend on cannot be deleted, and a deleted project cannot be
    // restored.
    const deletedAt = async (when: Date | null) => {
      await db.transaction(async (tx) => {
        await tx.execute("set local session_replication_role = replica");
        await tx.update(projects).set({ deletedAt: when }).where(eq(projects.id, projectId));
      });
      forgetKeyLeases();
    };
    try {
      const loss: Loss<TestKey> = ["…", () => deletedAt(past), 404, "project_not_found"];
      await losesAnswer(item, await createKey({ projectId }), loss);
    } finally {
      await deletedAt(null);
    }
  });

  test("separates stored responses by caller", async () => {
    const idempotencyKey = newId();
    const { own, stranger } = world;
    const callers: [Caller, typeof own][] = [
      [await createKey({ projectId: own.projectId }), own],
      [await createKey({ projectId: own.projectId }), own],
      [await createKey({ projectId: stranger.projectId }), stranger],
      [world.analyst, own],
      [world.admin, own],
    ];
    const texts = new Set<string>();
    for (const [as, project] of callers) {
      const answer = await (await repeatable(item, project))(as, idempotencyKey);
      expect(answer.status, answer.text).toBeLessThan(300);
      expect(answer.headers.has("idempotent-replayed")).toBe(false);
      texts.add(answer.text);
    }
    if (item.handler.declaration.status !== undefined) expect(texts.size).toBe(callers.length);
  });
});
