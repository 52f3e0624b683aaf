import { count, gt, isNull, lte, or, sql } from "drizzle-orm";
import type { Database, DatabaseConnection } from "#db/client";
import { orphanedArtifacts } from "#db/schema/artifacts";
import { jobs, outboxEvents } from "#db/schema/jobs";
import { recordedBytes } from "#lib/platform/artifacts/recorded-bytes";
import { catalogue, queueNames } from "#lib/platform/jobs/catalogue";
import { logger } from "#lib/platform/log/logger";
import { perProcess } from "#lib/platform/process/per-process";
import { metrics } from "./metrics.ts";

/** Returns the metrics in the Prometheus text format. During a database outage, returns those of this process only. */
export async function printMetrics({
  db,
  load,
}: Pick<DatabaseConnection, "db" | "load">): Promise<{ text: string; contentType: string }> {
  const { registry, pool } = metrics();
  const { max, inUse, waiting } = load();
  pool.set({ state: "max" }, max);
  pool.set({ state: "in_use" }, inUse);
  pool.set({ state: "waiting" }, waiting);
  try {
    const figures = [
      await countJobs(db),
      await countEvents(db),
      await countArtifacts(db),
      await countSpace(db),
    ];
    // Without a pause in between: another collection may run at the same time.
    for (const set of figures) set();
  } catch (error) {
    logger().warn({ err: error }, "jobs, events, artifacts and space cannot be counted");
    forgetFigures();
  }
  return { text: await registry.metrics(), contentType: registry.contentType };
}

/** Removes the figures of the last collection, which may be wrong by now. */
function forgetFigures(): void {
  const {
    jobs: counted,
    jobsOpen,
    jobsOldestSeconds,
    events,
    eventsOldestSeconds,
    artifactsToRemove,
    storeBytes,
    projectStoreBytes,
  } = metrics();
  for (const gauge of [counted, jobsOpen, jobsOldestSeconds, storeBytes, projectStoreBytes]) gauge.reset();
  for (const gauge of [events, eventsOldestSeconds, artifactsToRemove]) gauge.remove();
}

/** Counts open jobs. Returns a function that sets the figures, as the other counts do. */
async function countJobs(db: DatabaseConnection["db"]): Promise<() => void> {
  const { jobs: counted, jobsOpen, jobsOldestSeconds } = metrics();
  const rows = await db
    .select({
      type: jobs.type,
      status: jobs.status,
      count: count(),
      oldest: sql<number>`extract(epoch from now() - min(${jobs.createdAt}))`.mapWith(Number),
    })
    .from(jobs)
    .where(sql`${jobs.status} in ('Pending', 'Running')`) // Uses the index jobs_open: the number of ended jobs only grows.
    .groupBy(jobs.type, jobs.status);
  return () => {
    counted.reset();
    jobsOldestSeconds.reset();
    for (const queue of queueNames) jobsOpen.set({ queue }, 0);
    for (const { type, status, count: number, oldest } of rows) {
      counted.set({ type, status }, number);
      jobsOpen.inc({ queue: catalogue[type].queue }, number);
      jobsOldestSeconds.inc({ type }, status === "Pending" ? oldest : 0);
    }
  };
}

async function countEvents(db: DatabaseConnection["db"]): Promise<() => void> {
  const { events, eventsOldestSeconds } = metrics();
  const [waiting] = await db
    .select({
      count: count(),
      oldest: sql<number>`coalesce(extract(epoch from now() - min(${outboxEvents.createdAt})), 0)`.mapWith(
        Number,
      ),
    })
    .from(outboxEvents)
    .where(isNull(outboxEvents.publishedAt));
  return () => {
    events.set(waiting!.count);
    eventsOldestSeconds.set(waiting!.oldest);
  };
}

/** Counts orphans that are due. Claims of artifacts being written do not count. */
async function countArtifacts(db: DatabaseConnection["db"]): Promise<() => void> {
  const isDue = or(lte(orphanedArtifacts.dueAt, sql`now()`), gt(orphanedArtifacts.attempts, 0));
  const due = await db.$count(orphanedArtifacts, isDue);
  return () => metrics().artifactsToRemove.set(due);
}

/** Projects with a figure of their own. Each further one would add a time series for every process. */
const LARGEST = 10;
/** The query reads the rows of all scenarios and models, so it runs at most once in this time. */
const KEPT_MS = 60_000;

type Figures = { kinds: { kind: string; bytes: number }[]; largest: { project: string; bytes: number }[] };

const kept = perProcess("space figures", () => ({
  at: Number.NEGATIVE_INFINITY,
  figures: null as Figures | null,
}));

/** Sums the space of all projects by kind, and of the largest projects. Returns a function that sets the figures. */
async function countSpace(db: Database): Promise<() => void> {
  const cache = kept();
  if (cache.figures === null || performance.now() - cache.at > KEPT_MS) {
    cache.figures = await readFigures(db);
    cache.at = performance.now();
  }
  const { kinds, largest } = cache.figures;
  return () => {
    const { storeBytes, projectStoreBytes } = metrics();
    for (const gauge of [storeBytes, projectStoreBytes]) gauge.reset();
    for (const { kind, bytes } of kinds) storeBytes.set({ kind }, bytes);
    largest.forEach(({ bytes }, index) => {
      projectStoreBytes.set({ rank: index + 1 }, bytes);
    });
  };
}

async function readFigures(db: Database): Promise<Figures> {
  const rows = await db.execute<{ kind: string | null; project: string | null; bytes: number }>(sql`
    select kind, project_id as project, sum(bytes)::float8 as bytes from (${recordedBytes}) recorded
    group by grouping sets ((kind), (project_id))`);
  const kinds = rows.flatMap(({ kind, bytes }) => (kind === null ? [] : [{ kind, bytes }]));
  const largest = rows
    .flatMap(({ project, bytes }) => (project === null ? [] : [{ project, bytes }]))
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, LARGEST);
  return { kinds, largest };
}
