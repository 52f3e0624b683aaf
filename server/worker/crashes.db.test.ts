import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { outboxEvents } from "#db/schema/jobs";
import type { JobType } from "#lib/contract/jobs";
import { readJob } from "#lib/domain/jobs/find-job";
import { store } from "#lib/platform/storage/store";
import { expectWhole } from "#testing/expect-whole";
import { type FaultPoint, faultPoints, passedPoints } from "#testing/fault-points";
import { type JobOrder, prepareJob } from "#testing/job-orders";
import { prepareLaterRun } from "#testing/later-run";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
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

/** `of`: the type, or `LaterRun` for a job of the type CreateScenario that runs a scenario again. */
type Crash = { of: JobType | "LaterRun"; type: JobType; point: FaultPoint };
const all: Crash[] = [
  ...(Object.keys(faultPoints) as JobType[]).flatMap((type) =>
    faultPoints[type].map((point): Crash => ({ of: type, type, point })),
  ),
  ...faultPoints.CreateScenario.map((point): Crash => ({ of: "LaterRun", type: "CreateScenario", point })),
];
const prepare = ({ of, type, point }: Crash) =>
  of === "LaterRun" ? prepareLaterRun() : prepareJob(type, point);

/**
 * `CRASHES=all` tests every point, `CRASHES=TrainModel` those of one type, `CRASHES=LaterRun` those of a later run; all
 * wait for each lease to expire. The default is two points that depend on the seed: the test shortens the first lease and
 * expires the second.
 */
const wanted = process.env.CRASHES;
const isLong = wanted !== undefined;
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000);
const sampleSize = 2;
const chosen = isLong
  ? all.filter(({ of }) => wanted === "all" || wanted === of)
  : Array.from({ length: sampleSize }, (_, at) => all[(17 * (seed * sampleSize + at)) % all.length]!);

it("a job of each type, and a later run, pass every fault point that is declared for them", async () => {
  const passed = new Set<string>();
  let running: Crash;
  const note = (name: unknown) => passed.add(`${running.of}, ${name}`);
  for (const crash of all.filter(({ point }) => point === "begun" || point === "file tried")) {
    running = crash;
    const { order } = await prepare(crash);
    const { jobId } = await order();
    passedPoints.subscribe(note);
    expect(await runJobHere(jobId)).toMatchObject({ type: crash.type, status: "Completed" });
    passedPoints.unsubscribe(note);
  }
  expect([...passed].sort()).toEqual(all.map(({ of, type, point }) => `${of}, ${type}: ${point}`).sort());
});

/** After the death of a worker (kill -9, power), another continues its job within 30 s. No result appears twice. */
describe(`a killed worker (seed ${seed})`, () => {
  const prepared = new Map<Crash, JobOrder>();
  const recoveries: number[] = [];
  /** Job of the last crash. The next worker continues it. */
  let interrupted: { crash: Crash; jobId: string; ordered: JobOrder; diedAt: number } | undefined;

  // Before the first worker starts, because it would take jobs of the preparation.
  beforeAll(async () => {
    for (const crash of chosen) prepared.set(crash, await prepare(crash));
  });

  afterAll(() => {
    if (!isLong) return;
    const seconds = recoveries.toSorted((a, b) => a - b).map((ms) => (ms / 1_000).toFixed(1));
    console.log(
      `Recovered ${seconds.length} times: median ${seconds[seconds.length >> 1]} s, worst ${seconds.at(-1)} s`,
    );
  });

  it.each(chosen)("at $of: $point, leaves a job that the next worker completes", async (crash) => {
    const ordered = prepared.get(crash)!;
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
    const { jobId } = await ordered.order();
    expect(await worker.ended).toBe("SIGKILL");
    interrupted = { crash, jobId, ordered, diedAt: performance.now() };
    await expectConsistent(ordered);
    if (!isLong) await (crash === chosen[0] ? shortenLeases : missWorkers)(sql);
  });

  it("leaves a store that matches the database", async () => {
    await using _worker = await startWorkerHere();
    await expectRecovery();
    await checkStoredFiles(sql, store());
  });

  async function expectConsistent({ project, input, expectKept }: JobOrder): Promise<void> {
    await expectWhole(sql, project, input);
    await expectKept?.();
  }

  /** Waits until the current worker has completed the interrupted job, and checks its events. */
  async function expectRecovery(worker?: WorkerProcess): Promise<void> {
    if (interrupted === undefined) return;
    const { crash, jobId, ordered, diedAt } = interrupted;
    const { projectId } = ordered.project;
    interrupted = undefined;
    const readyAt = performance.now();
    for (;;) {
      const job = (await readJob(db, jobId))!;
      if (job.finishedAt !== null) break;
      if (worker) expect(worker.child.signalCode).toBeNull();
      await expectConsistent(ordered);
    }
    const job = (await readJob(db, jobId))!;
    const began = crash.point === "delivered" ? 0 : 1;
    const committed = ["completed", "result committed"].includes(crash.point);
    expect(job).toMatchObject({ status: "Completed", attempt: committed ? 1 : began + 1 });
    // On a busy machine, the job itself can take that long.
    if (isLong) expect(performance.now() - readyAt).toBeLessThan(30_000);
    recoveries.push(performance.now() - diedAt);
    await expectConsistent(ordered);
    const events = await db.select().from(outboxEvents).where(eq(outboxEvents.projectId, projectId));
    const sent = events
      .map(({ name, payload }) => ({ name, ...payload }))
      .filter((one) => one.jobId === jobId);
    const ends = sent.filter((one) => one.name === "job-updated" && one.status === "Completed");
    const results = sent.filter((one) => one.name !== "job-updated" && one.entityId !== projectId);
    expect(ends).toHaveLength(1);
    expect(new Set(results.map(({ name, entityId }) => `${name} ${entityId}`)).size).toBe(results.length);
  }
});
