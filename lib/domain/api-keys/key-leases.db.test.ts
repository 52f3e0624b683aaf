import { setTimeout as delay } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { createDatabase } from "#db/client";
import { apiKeys } from "#db/schema/access";
import { createKey, createProject, createUser, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { generateKey } from "./key-format.ts";
import { awaitKeyLeases, findLeasedKey, keyLeaseMs } from "./key-leases.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";

// Once a call that revokes a key has returned, every process rejects new requests with the key. The call may take up to
// two seconds.

const { db, url } = await createTestDatabase();

const { id: projectId } = await createProject();
const userId = (await createUser()).id;

const ctx = () => testContext({ actor: { kind: "session", userId, role: "admin" } });

test("sends no query during a lease, and one query for concurrent requests", async () => {
  const { key, id } = await createKey({ projectId });
  const asked = vi.spyOn(db, "select");
  const startMs = performance.now();
  const found = await Promise.all(Array.from({ length: 50 }, () => findLeasedKey(db, key)));
  expect(found.every((each) => each?.id === id)).toBe(true);
  // More than one query only if the lease expires meanwhile on a slow machine.
  expect(asked.mock.calls.length).toBeLessThanOrEqual(1 + (performance.now() - startMs) / keyLeaseMs);
  asked.mockRestore();
});

test.each([
  ["revoked", (keyId: string) => revokeApiKey(ctx(), { projectId, keyId })],
  [
    "rotated without overlap",
    (keyId: string) => rotateApiKey(ctx(), { projectId, keyId, overlapSeconds: 0 }),
  ],
])("rejects a key that is %s on every process, even on one with a lease", async (_, end) => {
  const processes = Array.from({ length: 3 }, () => createDatabase(url, { max: 2 }));
  try {
    const { key, id } = await createKey({ projectId });
    let over = false;
    const late: unknown[] = [];
    const traffic = processes.map(async (process) => {
      while (!over) {
        await findLeasedKey(process.db, key);
        await delay(1);
      }
    });
    await Promise.all(processes.map((process) => findLeasedKey(process.db, key)));
    await end(id);
    for (const process of processes) late.push(await findLeasedKey(process.db, key));
    over = true;
    await Promise.all(traffic);
    expect(late).toEqual([null, null, null]);
  } finally {
    await Promise.all(processes.map((process) => process.close()));
  }
});

test("a second revocation during the first one's wait does not return earlier", async () => {
  const { key, id } = await createKey({ projectId });
  const process = createDatabase(url, { max: 1 });
  try {
    await findLeasedKey(process.db, key);
    const first = revokeApiKey(ctx(), { projectId, keyId: id });
    await expect.poll(async () => (await rowOf(id)).revokedAt).not.toBeNull();
    await revokeApiKey(ctx(), { projectId, keyId: id });
    expect(await findLeasedKey(process.db, key)).toBeNull();
    await first;
  } finally {
    await process.close();
  }
});

const rowOf = async (keyId: string) => (await db.select().from(apiKeys).where(eq(apiKeys.id, keyId)))[0]!;

test("a lease ends when the key expires", async () => {
  const { key } = await createKey({ projectId, expiresAt: new Date(Date.now() + 100) });
  await findLeasedKey(db, key);
  await expect.poll(() => findLeasedKey(db, key), { interval: 5 }).toBeNull();
  const [{ late } = { late: 0 }] = await db.execute<{ late: number }>(
    sql`select extract(epoch from now() - expires_at)::float8 as late from api_keys order by created_at desc, id desc limit 1`,
  );
  expect(late).toBeGreaterThanOrEqual(0);
});

test("rejects all keys after the leases expire if the database is unavailable", async () => {
  const { key } = await createKey({ projectId });
  const process = createDatabase(url, { max: 1 });
  expect(await findLeasedKey(process.db, key)).not.toBeNull();
  await process.close();
  await awaitKeyLeases();
  await expect(findLeasedKey(process.db, key)).rejects.toThrow();
});

test("accepts a key at once that was created after an unsuccessful lookup", async () => {
  const key = generateKey();
  expect(await findLeasedKey(db, key)).toBeNull();
  const { id } = await createKey({ projectId, key });
  expect((await findLeasedKey(db, key))?.id).toBe(id);
});
