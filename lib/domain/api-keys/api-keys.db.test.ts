import { eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { apiKeys, apiKeyUses, auditLog } from "#db/schema/access";
import type { RouteHandler } from "#lib/api/route-declaration";
import type { ApiKey, CreatedApiKey, ListedApiKey } from "#lib/contract/api-keys";
import {
  type Caller,
  callRoute,
  createKey,
  createProject,
  createUser,
  forgetKeyLeases,
  withKey,
} from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { GET as me } from "../../../app/api/v1/me/route.ts";
import { DELETE as removeMember } from "../../../app/api/v1/members/[userId]/route.ts";
import { POST as rotate } from "../../../app/api/v1/projects/[projectId]/api-keys/[keyId]/rotate/route.ts";
import { DELETE as revoke } from "../../../app/api/v1/projects/[projectId]/api-keys/[keyId]/route.ts";
import { POST as create, GET as list } from "../../../app/api/v1/projects/[projectId]/api-keys/route.ts";
import { addKeyUses, countKeyUse } from "./count-uses.ts";

const { db } = await createTestDatabase();

const admin = await createUser();
const { id: projectId } = await createProject();

const make = (body: object = { name: "Reports" }) =>
  callRoute<CreatedApiKey>(create, { as: admin, params: { projectId }, body });
const change = <T>(
  handler: RouteHandler,
  keyId: string,
  method: string,
  body?: object,
  project = projectId,
) =>
  callRoute<T>(handler, {
    method,
    as: admin,
    params: { projectId: project, keyId },
    ...(body ? { body } : {}),
  });
const expire = async (keyId: string) => {
  await db.update(apiKeys).set({ expiresAt: sql`now()` }).where(eq(apiKeys.id, keyId));
  forgetKeyLeases();
};
const works = async (key: string) => (await callRoute(me, { as: withKey(key) })).status === 200;

test("the key is shown once and stored nowhere", async () => {
  const { status, data } = await make();
  expect(status).toBe(201);
  expect(data.prefix).toBe(data.key.slice(0, 8));
  const listed = await callRoute<ApiKey[]>(list, { as: admin, params: { projectId } });
  expect(listed.data.map(({ id }) => id)).toContain(data.id);
  expect(listed.text).not.toContain(data.key);
  const [dump] = await db.execute<{ text: string }>(
    sql`select (select json_agg(k)::text from api_keys k) || (select json_agg(a)::text from audit_log a) as text`,
  );
  expect(dump?.text).not.toContain(data.key.slice(8));
});

test("counts a key's requests by day, without a statement each, and lists 14 days", async () => {
  const listed = async (keyId: string) => {
    const { data } = await callRoute<ListedApiKey[]>(list, { as: admin, params: { projectId } });
    return data.find(({ id }) => id === keyId)!.requests;
  };
  const [{ data: used }, { data: unused }] = [await make(), await make()];
  for (let call = 0; call < 5; call++) await works(used.key);
  await works(`${used.key.slice(0, -1)}!`);
  expect((await listed(used.id)).map(({ count }) => count)).toEqual(Array(14).fill(0));
  // Simulates a second process, or a second write on one day: counts are added to the stored ones.
  await addKeyUses(db);
  await works(used.key);
  await Promise.all([addKeyUses(db), addKeyUses(db)]);
  const [row] = await db.execute<{ today: string }>(
    sql`select (now() at time zone 'UTC')::date::text as today`,
  );
  await db.insert(apiKeyUses).values([
    { apiKeyId: used.id, day: "2020-01-01", requests: 7 },
    { apiKeyId: unused.id, day: sql`(now() at time zone 'UTC')::date - 13`, requests: 3 },
  ]);
  expect((await listed(used.id)).filter(({ count }) => count > 0)).toEqual([{ day: row!.today, count: 6 }]);
  expect((await listed(unused.id))[0]!.count).toBe(3);
  // A deleted key does not affect the counts of others.
  countKeyUse(db, crypto.randomUUID());
  await works(used.key);
  await addKeyUses(db);
  expect((await listed(used.id)).at(-1)!.count).toBe(7);
});

test("a key acts for the user who created it", async () => {
  const { data } = await make();
  const { data: caller } = await callRoute(me, { as: withKey(data.key) });
  expect(caller).toEqual({
    kind: "api-key",
    userId: admin.id,
    name: null,
    email: null,
    role: null,
    apiKeyId: data.id,
    projectId,
  });
});

test("lists a key whose creator was removed as such, and the key still works", async () => {
  const creator = await createUser();
  const key = await createKey({ projectId, createdBy: creator.id });
  const ofSystem = await createKey({ projectId, createdBy: "system" });
  const listed = async (keyId: string) => {
    const { data } = await callRoute<ListedApiKey[]>(list, { as: admin, params: { projectId } });
    return data.find(({ id }) => id === keyId)!.createdByRemoved;
  };
  expect([await listed(key.id), await listed(ofSystem.id)]).toEqual([false, false]);
  const params = { userId: creator.id };
  expect((await callRoute(removeMember, { method: "DELETE", as: admin, params })).status).toBe(200);
  expect([await listed(key.id), await works(key.key)]).toEqual([true, true]);
});

test("rejects a revoked key at once and permanently; a second revocation changes nothing", async () => {
  const { data } = await make();
  const first = await change<ApiKey>(revoke, data.id, "DELETE");
  expect(first.data.revokedAt).not.toBeNull();
  expect(await works(data.key)).toBe(false);
  expect((await change<ApiKey>(revoke, data.id, "DELETE")).data).toEqual(first.data);
});

test("rejects an expired key, and an expiry in the past", async () => {
  const { data } = await make({ name: "Short", expiresAt: new Date(Date.now() + 60_000).toISOString() });
  expect(await works(data.key)).toBe(true);
  await expire(data.id);
  expect(await works(data.key)).toBe(false);
  const late = await make({ name: "Late", expiresAt: "2020-01-01T00:00:00Z" });
  expect(late.error?.details?.[0]).toMatchObject({ field: "expiresAt" });
});

test("accepts both keys during a rotation's overlap, then only the new one", async () => {
  const { data: old } = await make();
  const { status, data: next } = await change<CreatedApiKey>(rotate, old.id, "POST", { overlapSeconds: 60 });
  expect(status).toBe(201);
  expect(next).toMatchObject({ name: "Reports", expiresAt: null });
  expect([await works(old.key), await works(next.key)]).toEqual([true, true]);
  await expire(old.id);
  expect([await works(old.key), await works(next.key)]).toEqual([false, true]);
});

test.each([-1, 1])(
  "measures a rotation's overlap by the database's clock, not that of a process %i hours off",
  async (hours) => {
    const { data: old } = await make();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { status } = await change(rotate, old.id, "POST", { overlapSeconds: 60 });
    vi.useRealTimers();
    expect([status, await works(old.key)]).toEqual([201, true]);
    const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, old.id));
    expect(row!.expiresAt!.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
  },
);

test("rejects the old key at once without an overlap, and the rotation of an invalid key", async () => {
  const { data: old } = await make();
  const { data: next } = await change<CreatedApiKey>(rotate, old.id, "POST", { overlapSeconds: 0 });
  expect([await works(old.key), await works(next.key)]).toEqual([false, true]);
  expect((await change(rotate, old.id, "POST", { overlapSeconds: 0 })).error?.code).toBe("validation_failed");
});

test("a rotation never extends the old key's lifetime", async () => {
  const expiresAt = new Date(Date.now() + 5_000).toISOString();
  const { data: old } = await make({ name: "Short", expiresAt });
  await change(rotate, old.id, "POST", { overlapSeconds: 86_400 });
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, old.id));
  expect(row?.expiresAt?.toISOString()).toBe(expiresAt);
});

test("a key rotated twice within its overlap passes on its original lifetime", async () => {
  const { data: old } = await make();
  await change(rotate, old.id, "POST", { overlapSeconds: 60 });
  const { data: again } = await change<CreatedApiKey>(rotate, old.id, "POST", { overlapSeconds: 0 });
  expect([again.expiresAt, await works(old.key), await works(again.key)]).toEqual([null, false, true]);

  const { data: short } = await make({
    name: "Short",
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const lifetimeOf = ({ createdAt, expiresAt }: ApiKey) => Date.parse(expiresAt!) - Date.parse(createdAt);
  for (let rotation = 0; rotation < 2; rotation++) {
    const { data } = await change<CreatedApiKey>(rotate, short.id, "POST", { overlapSeconds: 60 });
    expect(Math.round(lifetimeOf(data) / 60_000)).toBe(Math.round(lifetimeOf(short) / 60_000));
  }
});

test("a key works only from its addresses, and so does the key that replaces it", async () => {
  const { status, data } = await make({ name: "Shop", allowedAddresses: ["192.0.2.7", "2001:db8::/32"] });
  expect(status).toBe(201);
  expect(data.allowedAddresses).toEqual(["192.0.2.7", "2001:db8::/32"]);
  const from = (key: string, address: string) =>
    callRoute(me, {
      as: withKey(key),
      headers: { "x-client-address": address },
    });
  for (const address of ["192.0.2.7", "2001:db8::1"])
    expect((await from(data.key, address)).status).toBe(200);
  const refused = await from(data.key, "192.0.2.8");
  expect(refused.status).toBe(403);
  expect(refused.error?.code).toBe("forbidden");
  expect(refused.error?.message).toContain("192.0.2.8");
  expect((await from(data.key, "unknown")).status).toBe(403);
  const { data: next } = await change<CreatedApiKey>(rotate, data.id, "POST", { overlapSeconds: 60 });
  expect(next.allowedAddresses).toEqual(data.allowedAddresses);
  expect((await from(next.key, "192.0.2.8")).status).toBe(403);
  const { data: free } = await make();
  expect(free.allowedAddresses).toBeNull();
  expect((await from(free.key, "unknown")).status).toBe(200);
});

test.each([["192.0.2.7/33"], ["example.com"], ["10.0.0"], [""], ["fe80::1%eth0"]])(
  "rejects %j as the address of a key",
  async (address) => {
    const { status, error } = await callRoute(create, {
      as: admin,
      params: { projectId },
      body: { name: "Shop", allowedAddresses: ["192.0.2.1", address] },
    });
    expect(status).toBe(400);
    expect(error?.details?.[0]).toMatchObject({ field: "allowedAddresses.1" });
    expect(error?.details?.[0]?.message).toContain("address like 192.0.2.7");
  },
);

test("another project's key does not exist", async () => {
  const { data } = await make();
  const other = await createProject();
  const answer = await change(revoke, data.id, "DELETE", undefined, other.id);
  expect([answer.status, answer.error?.code]).toEqual([404, "api_key_not_found"]);
  expect(await works(data.key)).toBe(true);
});

test("writes the last use at most once a minute", async () => {
  const key = await createKey({ projectId });
  const lastUse = async () =>
    (await db.select({ at: apiKeys.lastUsedAt }).from(apiKeys).where(eq(apiKeys.id, key.id)))[0]?.at;
  const use = (as: Caller) => callRoute(me, { as });
  await use(key);
  const first = await lastUse();
  expect(first).toBeInstanceOf(Date);
  await use(key);
  expect(await lastUse()).toEqual(first);
  await db.execute(sql`update api_keys set last_used_at = last_used_at - interval '61 seconds'`);
  forgetKeyLeases();
  await use(key);
  expect((await lastUse())?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? 0);
});

test("the use of a key leaves the last use of other keys unchanged", async () => {
  const [used, other] = [await createKey({ projectId }), await createKey({ projectId })];
  const earlier = new Date("2026-01-01T00:00:00Z");
  await db.update(apiKeys).set({ lastUsedAt: earlier }).where(eq(apiKeys.id, other.id));
  await callRoute(me, { as: used });
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, other.id));
  expect(row?.lastUsedAt).toEqual(earlier);
});

test("pages the list by its `next` link", async () => {
  const { id } = await createProject();
  const made = [];
  for (let count = 0; count < 5; count++) made.push((await createKey({ projectId: id })).id);
  const seen: string[] = [];
  let query: Record<string, string> = { limit: "2" };
  for (let page = 0; page < 3; page++) {
    const answer = await callRoute<ApiKey[]>(list, { as: admin, params: { projectId: id }, query });
    seen.push(...answer.data.map((key) => key.id));
    const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
    expect(next !== undefined).toBe(page < 2);
    if (next) query = Object.fromEntries(new URL(next).searchParams);
  }
  expect(seen).toEqual(made.toReversed());
  const wrong = await callRoute(list, {
    as: admin,
    params: { projectId: id },
    query: { cursor: "nonsense" },
  });
  expect(wrong.error?.details?.[0]).toMatchObject({ field: "cursor" });
});

test("writes key changes to the audit log", async () => {
  const { data } = await make({ name: "Audited" });
  await change(revoke, data.id, "DELETE");
  const rows = await db.select().from(auditLog).where(eq(auditLog.entityId, data.id));
  expect(rows.map(({ action, actorId, label }) => [action, actorId, label])).toEqual([
    ["api-key.created", admin.id, "Audited"],
    ["api-key.revoked", admin.id, "Audited"],
  ]);
});
