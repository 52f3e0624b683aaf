import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase, databaseConnection, provideDatabase } from "#db/client";
import { looseArtifacts } from "#db/schema/artifacts";
import { jobs, outboxEvents } from "#db/schema/jobs";
import { freePort } from "#server/postgres/free-port";
import { serveProbes } from "#server/worker/serve-probes";
import { callRoute, createKey, createProject } from "#testing/api";
import { exposition } from "#testing/exposition";
import { createTestDatabase } from "#testing/postgres";
import { GET as liveRoute } from "../../../app/api/health/live/route.ts";
import { GET as readyRoute } from "../../../app/api/health/ready/route.ts";
import { GET as metricsRoute } from "../../../app/api/metrics/route.ts";
import { GET as me } from "../../../app/api/v1/me/route.ts";
import { awaitSchema } from "./await-schema.ts";

const { db } = await createTestDatabase();

const live = () => callRoute(async () => liveRoute(), { path: "/api/health/live" });
const ready = () => callRoute(readyRoute, { path: "/api/health/ready" });
const metrics = () => callRoute(metricsRoute, { path: "/api/metrics" });

async function withDatabase(url: string, run: () => Promise<void>) {
  const present = databaseConnection();
  const other = createDatabase(url);
  provideDatabase(other);
  try {
    await run();
  } finally {
    provideDatabase(present);
    await other.close();
  }
}

const nowhere = "postgres://nobody@127.0.0.1:1/nothing";

test("ready with a database that has the present schema", async () => {
  const answer = await ready();
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ status: "ready", checks: { database: "ok", process: "ok" } });
});

test("not ready, but alive, while the database is away", async () => {
  await withDatabase(nowhere, async () => {
    const answer = await ready();
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.body).toEqual({
      status: "unavailable",
      checks: { database: "unreachable", process: "ok" },
    });
    expect((await live()).body).toEqual({ status: "ok" });
  });
});

test("not ready before the newest migration was applied", async () => {
  await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - 1`);
  const before = await ready();
  await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at + 1`);
  expect(before.body).toMatchObject({ checks: { database: "not migrated" } });
  expect((await ready()).status).toBe(200);
});

test("a program of an older version starts on no newer schema, but goes on where it runs", async () => {
  const never = new AbortController().signal;
  await awaitSchema(db, never);
  await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at + 1`);
  await expect(awaitSchema(db, never)).rejects.toThrow(/newer version.*start that version/);
  expect((await ready()).status).toBe(200);
  await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - 1`);
});

test("a program waits for its migrations, and begins when they are there", async () => {
  await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - 1`);
  const begun = awaitSchema(db, new AbortController().signal).then(() => "begun");
  expect(await Promise.race([begun, delay(200, "waits")])).toBe("waits");
  await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at + 1`);
  expect(await begun).toBe("begun");
});

test("the worker answers probes and tells its figures where the web process does", async () => {
  const port = await freePort();
  const close = await serveProbes(port, "127.0.0.1");
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  expect((await get("/api/health/live")).status).toBe(200);
  const answer = await get("/api/health/ready");
  expect(await answer.json()).toEqual({ status: "ready", checks: { database: "ok", process: "ok" } });
  expect(exposition(await (await get("/api/metrics")).text()).faults).toEqual([]);
  expect((await get("/api/v1/projects")).status).toBe(404);
  await close();
});

test("the metrics are as Prometheus reads them, with names by its conventions", async () => {
  const { faults, families } = exposition((await metrics()).text);
  expect(faults).toEqual([]);
  expect([...families.keys()]).toEqual(
    expect.arrayContaining([
      ...["http_requests_total", "http_request_duration_seconds", "inference_duration_seconds"],
      ...["jobs", "jobs_open", "jobs_oldest_pending_seconds", "job_attempt_duration_seconds"],
      ...["events_waiting", "events_oldest_waiting_seconds", "database_pool_connections"],
      "artifacts_to_remove",
    ]),
  );
});

test("the pool tells what is in use and what waits", async () => {
  const { url } = databaseConnection();
  const small = createDatabase(url, { max: 2 });
  const release = Promise.withResolvers<void>();
  const held = Array.from({ length: 2 }, () => small.db.transaction(() => release.promise));
  const waiting = small.db.execute(sql`select 1`).then(() => {}); // Sent when waited for.
  await expect.poll(small.load).toEqual({ max: 2, inUse: 2, waiting: 1 });
  release.resolve();
  await Promise.all([...held, waiting]);
  await expect(small.db.execute(sql`select nothing`)).rejects.toThrow();
  expect(small.load()).toEqual({ max: 2, inUse: 0, waiting: 0 });
  await small.close();
});

test("the metrics count calls by operation, jobs by state, and what waits", async () => {
  const { id: projectId } = await createProject();
  const key = await createKey({ projectId });
  await callRoute(me, { as: key });
  await db.insert(jobs).values({
    id: crypto.randomUUID(),
    projectId,
    type: "TrainModel",
    status: "Pending",
    payload: {},
    createdBy: "user-of-tests",
    createdAt: sql`now() - interval '90 seconds'`,
  });
  await db.insert(outboxEvents).values({
    projectId,
    name: "job-updated",
    payload: { eventId: crypto.randomUUID(), entityId: projectId, projectId } as never,
    createdAt: sql`now() - interval '5 seconds'`,
  });
  await db.insert(looseArtifacts).values([
    { key: "projects/deleted", dueAt: sql`now() - interval '1 second'` },
    { key: "projects/tried-again-later", dueAt: sql`now() + interval '4 seconds'`, attempts: 2 },
    { key: "projects/being-written", dueAt: sql`now() + interval '6 hours'` },
  ]);
  const answer = await metrics();
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
  const { text } = answer;
  expect(text).toContain('http_requests_total{operation="getMe",method="GET",status="200"} 1');
  expect(text).toContain('http_request_duration_seconds_count{operation="getMe",method="GET"} 1');
  expect(text).toContain('jobs{type="TrainModel",status="Pending"} 1');
  expect(text).toContain('jobs_open{queue="long"} 1');
  expect(text).toContain('jobs_open{queue="short"} 0');
  expect(text).not.toContain(key.key);
  const figure = (name: string) => Number(new RegExp(`^${name} (.+)$`, "m").exec(text)?.[1]);
  expect(figure('jobs_oldest_pending_seconds{type="TrainModel"}')).toBeGreaterThanOrEqual(90);
  expect(figure("events_waiting")).toBe(1);
  expect(figure("events_oldest_waiting_seconds")).toBeGreaterThanOrEqual(5);
  expect(figure("artifacts_to_remove")).toBe(2);
});

test("the metrics of the process are told while the database is away", async () => {
  await withDatabase(nowhere, async () => {
    const answer = await metrics();
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("process_cpu_seconds_total");
  });
});
