import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase } from "#db/client";
import { orphanedArtifacts } from "#db/schema/artifacts";
import { uploads } from "#db/schema/datasets";
import { jobs, outboxEvents } from "#db/schema/jobs";
import { countError } from "#lib/api/count-error";
import { toDomainError } from "#lib/api/response/error-answer";
import { environment } from "#lib/platform/config/environment";
import { databaseConnection } from "#lib/platform/database/process-database";
import { DomainError } from "#lib/platform/errors/domain-error";
import { readBuildInfo } from "#lib/platform/health/build-info";
import { RestartCount } from "#lib/platform/health/restarts";
import { StoreUnreachableError } from "#lib/platform/storage/storage-errors";
import { callRoute, createKey, createProject } from "#testing/api";
import { exposition } from "#testing/exposition";
import { createTestDatabase } from "#testing/postgres";
import { nowhere, withDatabase } from "#testing/with-database";
import { GET as metricsRoute } from "../../../app/api/metrics/route.ts";
import { GET as me } from "../../../app/api/v1/me/route.ts";
import { printMetrics } from "./print-metrics.ts";

const { db } = await createTestDatabase();
const metrics = () => callRoute(metricsRoute, { path: "/api/metrics" });
/** The checkout may hold a build. */
const built = readBuildInfo(process.cwd());

test("returns metrics in the format and with the naming of Prometheus", async () => {
  const { issues, families } = exposition((await metrics()).text);
  expect(issues).toEqual([]);
  expect([...families.keys()]).toEqual(
    expect.arrayContaining([
      ...["http_requests_total", "http_request_duration_seconds", "inference_duration_seconds"],
      ...["jobs", "jobs_open", "jobs_oldest_pending_seconds", "job_attempt_duration_seconds"],
      ...["events_waiting", "events_oldest_waiting_seconds", "database_pool_connections"],
      ...["artifacts_to_remove", "store_bytes", "project_store_bytes", "project_quota_bytes"],
      ...["disk_free_bytes", "disk_size_bytes", "http_errors_total", "http_unavailable_total"],
      "supervisor_restarts_total",
    ]),
  );
});

test("the pool reports connections in use and waiting callers", async () => {
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

test("the metrics count calls by operation, jobs by state, and waiting events", async () => {
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
  await db.insert(orphanedArtifacts).values([
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

/** The space is summed again at the next collection. */
const forgetSpace = () => Reflect.deleteProperty(globalThis, "space figures");

test("the metrics state the space of all projects by kind, of the ten largest, and of the disks", async () => {
  const sizes = Array.from({ length: 12 }, (_, index) => 1_000 * (index + 1));
  for (const bytes of sizes) {
    const { id: projectId } = await createProject();
    const id = crypto.randomUUID();
    const artifactKey = `projects/${projectId}/uploads/${id}`;
    await db.insert(uploads).values({ id, projectId, bytes, sha256: "0", artifactKey, createdBy: "x" });
  }
  forgetSpace();
  const { text } = await metrics();
  expect(text).toContain(`store_bytes{kind="uploads"} ${sizes.reduce((sum, bytes) => sum + bytes)}`);
  const listed = [...text.matchAll(/^project_store_bytes\{rank="(\d+)"\} (\d+)$/gm)];
  const largest = sizes.toReversed().slice(0, 10);
  expect(listed.map(([, rank, bytes]) => [Number(rank), Number(bytes)])).toEqual(
    largest.map((bytes, index) => [index + 1, bytes]),
  );
  expect(text).toContain("project_quota_bytes 20000000000");
  const free = Number(/^disk_free_bytes\{folder="data"\} (\d+)$/m.exec(text)?.[1]);
  const size = Number(/^disk_size_bytes\{folder="data"\} (\d+)$/m.exec(text)?.[1]);
  expect(free).toBeGreaterThan(0);
  expect(size).toBeGreaterThanOrEqual(free);
});

test("the metrics count rejections by code, and responses with 503 by cause", async () => {
  const counted = async (name: string, labels: string) => {
    const line = `${name}{${labels}} `;
    const { text } = await metrics();
    return Number(
      text
        .split("\n")
        .find((one) => one.startsWith(line))
        ?.slice(line.length) ?? 0,
    );
  };
  const wrong = 'operation="getMe",code="api_key_invalid"';
  const before = await counted("http_errors_total", wrong);
  await callRoute(me, { as: { headers: { "x-api-key": "mps_wrong" } } });
  expect(await counted("http_errors_total", wrong)).toBe(before + 1);
  const outage = (code: string) => Object.assign(new Error("away"), { code });
  const causes: [error: DomainError, cause: string][] = [
    [toDomainError(outage("ECONNREFUSED")), "database"],
    [toDomainError(new StoreUnreachableError(outage("ECONNREFUSED"))), "store"],
    [toDomainError(outage("ENOSPC")), "disk"],
    [new DomainError("service_unavailable", "x", { lacks: "capacity" }), "capacity"],
    [
      new DomainError("service_unavailable", "x", { lacks: "realtime", cause: outage("ECONNREFUSED") }),
      "realtime",
    ],
    [new DomainError("service_unavailable", "x"), "other"],
  ];
  for (const [error, cause] of causes) {
    const seen = await counted("http_unavailable_total", `cause="${cause}"`);
    countError("getMe", error);
    expect([cause, await counted("http_unavailable_total", `cause="${cause}"`)]).toEqual([cause, seen + 1]);
  }
});

test("the metrics state the version and the commit", async () => {
  const line = `build_info{version="${built.version}",commit="${built.commit ?? "unknown"}"} 1`;
  expect((await metrics()).text).toContain(line);
});

test("the metrics state how often the supervisor restarted its parts", async () => {
  expect((await metrics()).text).not.toContain("supervisor_restarts_total{");
  const restarts = new RestartCount(environment().dataDir);
  restarts.add("worker");
  restarts.add("web");
  restarts.increment("web");
  const { text } = await metrics();
  expect(text).toContain('supervisor_restarts_total{part="worker"} 0');
  expect(text).toContain('supervisor_restarts_total{part="web"} 1');
});

test("returns the same figures to several collectors at the same time", async () => {
  const figures = async () =>
    (await metrics()).text
      .match(/^(?:jobs|events|artifacts)\S* .+$/gm)!
      // Waiting times grow by less than a minute during the test.
      .map((line) =>
        line.includes("_oldest_")
          ? line.replace(/\S+$/, (age) => String(Math.floor(Number(age) / 60)))
          : line,
      );
  const alone = await figures();
  expect(alone).toContain('jobs_oldest_pending_seconds{type="TrainModel"} 1');
  for (const together of await Promise.all([figures(), figures(), figures()]))
    expect(together).toEqual(alone);
});

test("a collection that fails meanwhile does not change the figures of another", async () => {
  const { load } = databaseConnection();
  const [counting, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pausing = Object.create(db, {
    $count: {
      async value(...of: Parameters<typeof db.$count>) {
        counting.resolve();
        await goOn.promise;
        return db.$count(...of);
      },
    },
  });
  const failing = Object.create(db, { select: { value: () => expect.fail("away") } });
  const collected = printMetrics({ db: pausing, load });
  await counting.promise;
  await printMetrics({ db: failing, load });
  goOn.resolve();
  expect((await collected).text).toContain('jobs{type="TrainModel",status="Pending"} 1');
});

test("returns the metrics of the process during a database outage", async () => {
  await withDatabase(nowhere, async () => {
    const answer = await metrics();
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("process_cpu_seconds_total");
    expect(answer.text).not.toMatch(/^(?:jobs|events|artifacts)/m);
  });
});
