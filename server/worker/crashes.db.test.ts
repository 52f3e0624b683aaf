import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { outboxEvents } from "#db/schema/jobs";
import type { JobType } from "#lib/contract/jobs";
import { readJob } from "#lib/domain/jobs/find-job";
import { store } from "#lib/platform/storage/store";
import { expectWhole } from "#testing/expect-whole";
import { type FaultPoint, faultPoints, passedPoints } from "#testing/fault-points";
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
// Runs a job of each type, and waits for workers to continue the jobs of killed ones.
vi.setConfig({ testTimeout: 5 * 60_000 });

type Crash = { type: JobType; point: FaultPoint };
const all: Crash[] = (Object.keys(faultPoints) as JobType[]).flatMap((type) =>
  faultPoints[type].map((point) => ({ type, point })),
);

/**
 * `CRASHES=all` tests every point, `CRASHES=TrainModel` those of one type; both wait for each lease to expire. The
 * default is two points that depend on the seed: the test shortens the first lease and expires the second.
 */
const wanted = process.env.CRASHES;
const isLong = wanted !== undefined;
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000);
const sampleSize = 2;
const chosen = isLong
  ? all.filter(({ type }) => wanted === "all" || wanted === type)
  : Array.from({ length: sampleSize }, (_, at) => all[(17 * (seed * sampleSize + at)) % all.length]!);

const namesOf = (crashes: readonly Crash[]) => crashes.map(({ type, point }) => `${type}: ${point}`);

it("a job of each type passes every fault point that is declared for it", async () => {
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

/** After the death of a worker (kill -9, power), another continues its job within 30 s. No result appears twice. */
describe(`a killed worker (seed ${seed})`, () => {
  const prepared = new Map<Crash, JobOrder>();
  const recoveries: number[] = [];
  /** Job of the last crash. The next worker continues it. */
  let interrupted: { crash: Crash; jobId: string; project: TrainedProject; diedAt: number } | undefined;

  // Before the first worker starts, because it would take jobs of the preparation.
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

  it.each(chosen)("at $type: $point, leaves a job that the next worker completes", async (crash) => {
    const { project, order } = prepared.get(crash)!;
    // After a crash at "delivered", the next attempt is the job's first. The fault of this test's worker would apply to
    // it too, so another worker completes the job.
    if (interrupted?.crash.type === crash.type && interrupted.crash.point === "delivered") {
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
    interrupted = { crash, jobId, project, diedAt: performance.now() };
    await expectWhole(sql, project);
    if (!isLong) await (crash === chosen[0] ? shortenLeases : missWorkers)(sql);
  });

  it("leaves a store that matches the database", async () => {
    await using _worker = await startWorkerHere();
    await expectRecovery();
    await checkStoredFiles(sql, store());
  });

  /** Waits until the current worker has completed the interrupted job, and checks its events. */
  async function expectRecovery(worker?: WorkerProcess): Promise<void> {
    if (interrupted === undefined) return;
    const { crash, jobId, project, diedAt } = interrupted;
    interrupted = undefined;
    const readyAt = performance.now();
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
    // On a busy machine, the job itself can take that long.
    if (isLong) expect(performance.now() - readyAt).toBeLessThan(30_000);
    recoveries.push(performance.now() - diedAt);
    await expectWhole(sql, project);
    const events = await db.select().from(outboxEvents).where(eq(outboxEvents.projectId, project.projectId));
    const sent = events
      .map(({ name, payload }) => ({ name, ...payload }))
      .filter((one) => one.jobId === jobId);
    const ends = sent.filter((one) => one.name === "job-updated" && one.status === "Completed");
    const results = sent.filter((one) => one.name !== "job-updated" && one.entityId !== project.projectId);
    expect(ends).toHaveLength(1);
    expect(new Set(results.map(({ name, entityId }) => `${name} ${entityId}`)).size).toBe(results.length);
  }
});
