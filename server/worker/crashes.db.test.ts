import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { outboxEvents } from "#db/schema/jobs";
import type { JobType } from "#lib/contract/jobs";
import { readJob } from "#lib/domain/jobs/find-job";
import { type FaultPoint, faultPoints, passedPoints } from "#lib/platform/jobs/fault-point";
import { store } from "#lib/platform/storage/store";
import { expectWhole } from "#testing/expect-whole";
import { type JobOrder, prepareJob } from "#testing/job-orders";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import type { TrainedProject } from "#testing/scenario-factory";
import { checkStoredFiles } from "#testing/stored-files";
import {
  missWorkers,
  shortenLeases,
  startWorkerHere,
  startWorkerProcess,
  type WorkerProcess,
} from "#testing/worker-process";

const test = await createTestDatabase();
const { db, sql } = test;
vi.setConfig({ testTimeout: 5 * 60_000 });

type Crash = { type: JobType; point: FaultPoint };
const all: Crash[] = (Object.keys(faultPoints) as JobType[]).flatMap((type) =>
  faultPoints[type].map((point) => ({ type, point })),
);

/**
 * `CRASHES=all` tries every point and waits for each lease to run out, `CRASHES=TrainModel` those of one type; else two
 * are tried, which change with the seed. One lease is shortened then, and the other one ended.
 */
const wanted = process.env.CRASHES;
const isLong = wanted !== undefined;
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000);
const few = 2;
const chosen = isLong
  ? all.filter(({ type }) => wanted === "all" || wanted === type)
  : Array.from({ length: few }, (_, at) => all[(17 * (seed * few + at)) % all.length]!);

const namesOf = (crashes: readonly Crash[]) => crashes.map(({ type, point }) => `${type}: ${point}`);

it("a run of each type of job passes through every point that is declared for it", async () => {
  const passed = new Set<string>();
  const note = (name: unknown) => passed.add(name as string);
  passedPoints.subscribe(note);
  for (const { type, point } of all.filter(({ point }) => point === "begun" || point === "file tried")) {
    const { order } = await prepareJob(type, point);
    expect(await runJobHere((await order()).jobId)).toMatchObject({ type, status: "Completed" });
  }
  passedPoints.unsubscribe(note);
  expect([...passed].sort()).toEqual(namesOf(all).sort());
});

/** "A worker that dies (kill -9, power) loses nothing: its job goes on elsewhere within 30 s, and no result appears twice." */
describe(`killed, seed ${seed},`, () => {
  const prepared = new Map<Crash, JobOrder>();
  const recoveries: number[] = [];
  /** The job of the last crash, which the next worker goes on with. */
  let left: { crash: Crash; jobId: string; project: TrainedProject; diedAt: number } | undefined;

  // No worker is there to take a part of the preparation.
  beforeAll(async () => {
    for (const crash of chosen) prepared.set(crash, await prepareJob(crash.type, crash.point));
  });

  afterAll(() => {
    if (!isLong) return;
    const seconds = recoveries.toSorted((a, b) => a - b).map((ms) => (ms / 1_000).toFixed(1));
    console.log(
      `Recovered ${seconds.length} times: median ${seconds[seconds.length >> 1]} s, worst ${seconds.at(-1)} s`,
    );
  });

  it.each(chosen)("at $type: $point, the worker leaves a job that goes on", async (crash) => {
    const { project, order } = prepared.get(crash)!;
    // A job that had not begun is begun by the next worker: that must not die of it.
    if (left?.crash.type === crash.type && left.crash.point === "delivered") {
      await using _other = await startWorkerHere();
      await expectRecovery();
    }
    await using worker = startWorkerProcess({
      databaseUrl: test.url,
      fault: `kill ${crash.type}: ${crash.point}`,
    });
    await worker.says("the worker takes jobs");
    await expectRecovery(worker);
    const { jobId } = await order();
    expect(await worker.ended).toBe("SIGKILL");
    left = { crash, jobId, project, diedAt: performance.now() };
    await expectWhole(sql, project);
    if (!isLong) await (crash === chosen[0] ? shortenLeases : missWorkers)(sql);
  });

  it("and leaves the store as the database says", async () => {
    await using _worker = await startWorkerHere();
    await expectRecovery();
    await checkStoredFiles(sql, store());
  });

  /** The worker that is there now goes on with what the last one left. */
  async function expectRecovery(worker?: WorkerProcess): Promise<void> {
    if (left === undefined) return;
    const { crash, jobId, project, diedAt } = left;
    left = undefined;
    const isThereAt = performance.now();
    for (;;) {
      const job = (await readJob(db, jobId))!;
      if (job.finishedAt !== null) break;
      if (worker) expect(worker.child.signalCode).toBeNull();
      await expectWhole(sql, project);
    }
    const job = (await readJob(db, jobId))!;
    const began = crash.point === "delivered" ? 0 : 1;
    const committed = ["completed", "result committed"].includes(crash.point);
    expect(job).toMatchObject({ status: "Completed", attempt: committed ? 1 : began + 1 });
    expect(performance.now() - isThereAt).toBeLessThan(30_000);
    recoveries.push(performance.now() - diedAt);
    await expectWhole(sql, project);
    const events = await db.select().from(outboxEvents).where(eq(outboxEvents.projectId, project.projectId));
    const told = events
      .map(({ name, payload }) => ({ name, ...payload }))
      .filter((one) => one.jobId === jobId);
    const ends = told.filter((one) => one.name === "job-updated" && one.status === "Completed");
    const results = told.filter((one) => one.name !== "job-updated" && one.entityId !== project.projectId);
    expect(ends).toHaveLength(1);
    expect(new Set(results.map(({ name, entityId }) => `${name} ${entityId}`)).size).toBe(results.length);
  }
});
