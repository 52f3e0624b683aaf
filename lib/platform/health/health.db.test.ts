import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { freePort } from "#server/postgres/free-port";
import { serveProbes } from "#server/worker/serve-probes";
import { callRoute } from "#testing/api";
import { exposition } from "#testing/exposition";
import { createTestDatabase } from "#testing/postgres";
import { recordUnreleasedMigrations } from "#testing/unreleased-migrations";
import { nowhere, withDatabase } from "#testing/with-database";
import { GET as liveRoute } from "../../../app/api/health/live/route.ts";
import { GET as readyRoute } from "../../../app/api/health/ready/route.ts";
import { awaitSchema } from "./await-schema.ts";
import { readBuildInfo } from "./build-info.ts";

const { db, sql: client } = await createTestDatabase();
/** The checkout may hold a build. */
const built = readBuildInfo(process.cwd());

const live = () => callRoute(async () => liveRoute(), { path: "/api/health/live" });
const ready = () => callRoute(readyRoute, { path: "/api/health/ready" });

test("is ready with a database that has the current schema", async () => {
  const answer = await ready();
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ status: "ready", checks: { database: "ok", disk: "ok", process: "ok" } });
});

test("is alive but not ready during a database outage", async () => {
  await withDatabase(nowhere, async () => {
    const answer = await ready();
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.body).toEqual({
      status: "unavailable",
      checks: { database: "unreachable", disk: "ok", process: "ok" },
    });
    expect((await live()).body).toEqual({ status: "ok", ...built });
  });
});

/** Runs on a database with other recorded migrations than this program's. */
async function withMigrations<T>(change: () => Promise<unknown>, run: () => Promise<T>): Promise<T> {
  const present = await client`select hash, created_at from drizzle.__drizzle_migrations`;
  await change();
  try {
    return await run();
  } finally {
    await removeMigrations();
    await client`insert into drizzle.__drizzle_migrations ${client(present)}`;
  }
}

const removeMigrations = async () => client`delete from drizzle.__drizzle_migrations`;
const addMigration = async () =>
  client`insert into drizzle.__drizzle_migrations (hash, created_at)
    select 'later', max(created_at) + 1 from drizzle.__drizzle_migrations`;
const replaceMigrations = () => recordUnreleasedMigrations(client);

test.each([
  ["before the migrations were applied", removeMigrations],
  ["with a schema from before the first release", replaceMigrations],
])("not ready %s", async (_, change) => {
  const before = await withMigrations(change, ready);
  expect(before.status).toBe(503);
  expect(before.body).toMatchObject({ checks: { database: "not migrated" } });
  expect((await ready()).status).toBe(200);
});

test("an older version does not start on a newer schema, but continues to run on it", async () => {
  const never = new AbortController().signal;
  await awaitSchema(db, never);
  await withMigrations(addMigration, async () => {
    await expect(awaitSchema(db, never)).rejects.toThrow(/newer version.*start that version/);
    expect((await ready()).status).toBe(200);
  });
});

test("a program does not start on a schema from before the first release", async () => {
  const never = new AbortController().signal;
  const starting = withMigrations(replaceMigrations, () => awaitSchema(db, never));
  await expect(starting).rejects.toThrow(/before the first release.*cannot be upgraded.*Start that version/);
});

test("a program waits for its migrations, and then starts", async () => {
  const begun = await withMigrations(removeMigrations, async () => {
    const beginning = awaitSchema(db, new AbortController().signal).then(() => "begun");
    expect(await Promise.race([beginning, delay(200, "waits")])).toBe("waits");
    return { beginning };
  });
  expect(await begun.beginning).toBe("begun");
});

test("the worker serves probes and metrics at the same paths as the web process", async () => {
  const port = await freePort();
  const close = await serveProbes(port, "127.0.0.1");
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  expect((await get("/api/health/live")).status).toBe(200);
  const answer = await get("/api/health/ready");
  expect(await answer.json()).toEqual({
    status: "ready",
    checks: { database: "ok", disk: "ok", process: "ok" },
  });
  expect(exposition(await (await get("/api/metrics")).text()).issues).toEqual([]);
  expect((await get("/api/v1/projects")).status).toBe(404);
  await close();
});
