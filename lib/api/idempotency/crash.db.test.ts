import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { eq, sql as raw } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { idempotencyKeys } from "#db/schema/access";
import { newId } from "#lib/platform/ids/new-id";
import { nodeOptions } from "#server/node-options";
import { callRoute, createUser, type RouteCall, testHost } from "#testing/api";
import type { CrashOrder } from "#testing/crash-at-commit";
import { countCreated, countStoredWith, creatingRoutes, repeatableCall } from "#testing/creating-routes";
import { createPopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import type { RouteCase } from "#testing/route-cases";

const { db, sql, url: databaseUrl } = await createTestDatabase();
const creating = await creatingRoutes();

const own = await createPopulatedProject();
const admin = await createUser();

/** Sends the request to another process, which is killed at its commit. */
async function crash(when: CrashOrder["when"], { name: route }: RouteCase, key: string, call: RouteCall) {
  const headers = { host: testHost, ...admin.headers, ...call.headers, "idempotency-key": key };
  const address = `http://${testHost}${call.path}`;
  const order: CrashOrder = { databaseUrl, when, route, address, key, call: { ...call, headers } };
  const child = spawn(process.execPath, [...nodeOptions, "testing/crash-at-commit.ts"], {
    env: { ...process.env, CRASH_ORDER: JSON.stringify(order) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [stderr, [, signal]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(signal, stderr).toBe("SIGKILL");
}

const send = (item: RouteCase, call: RouteCall, key: string) =>
  callRoute(item.handler, { ...call, as: admin, headers: { ...call.headers, "idempotency-key": key } });

test.each(creating)("%s stores its response in the transaction that creates", async (_name, item) => {
  const key = newId();
  const { status, text } = await send(item, (await repeatableCall(item, own))(), key);
  expect(status, text).toBe(item.handler.declaration.status ?? 200);
  expect(await countStoredWith(sql, item, key)).toBeGreaterThan(0);
});

/**
 * `CRASHES=all npx vitest run idempotency/crash` kills a process at every route. By default, the routes depend on the
 * seed, because each process takes seconds to start.
 */
const isLong = process.env.CRASHES === "all";
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000);
const sample = (routes: typeof creating, size: number) =>
  isLong ? routes : Array.from({ length: size }, (_, at) => routes[(seed * size + at) % routes.length]!);

describe(`a process that is killed right after its commit has stored its response (seed ${seed})`, () => {
  test.each(sample(creating, 2))("%s", async (_name, item) => {
    const call = (await repeatableCall(item, own))();
    const before = await countCreated(sql, item);
    const key = newId();
    await crash("after", item, key, call);
    const again = await send(item, call, key);
    expect([again.status, again.headers.get("idempotent-replayed")], again.text).toEqual([
      item.handler.declaration.status ?? 200,
      "true",
    ]);
    expect((await countCreated(sql, item)) - before).toBe(1);
  });
});

describe("a process that is killed right before its commit has created nothing, and its key is free after 30 seconds", () => {
  const few = creating.filter(([name]) => /scenarios|uploads|\/projects$/.test(name));

  test.each(sample(few, 1))("%s", async (_name, item) => {
    const call = (await repeatableCall(item, own))();
    const before = await countCreated(sql, item);
    const key = newId();
    await crash("before", item, key, call);
    expect((await send(item, call, key)).error?.code).toBe("idempotency_in_progress");
    await db
      .update(idempotencyKeys)
      .set({ lockedUntil: raw`${idempotencyKeys.lockedUntil} - interval '30 seconds'` })
      .where(eq(idempotencyKeys.key, key));
    const again = await send(item, call, key);
    expect([again.status, again.headers.get("idempotent-replayed")], again.text).toEqual([
      item.handler.declaration.status ?? 200,
      null,
    ]);
    expect((await countCreated(sql, item)) - before).toBe(1);
  });
});
