import { and, eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs, outboxEvents } from "#db/schema/jobs";
import { projects } from "#db/schema/projects";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { abandonOf, retryOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { findJob } from "#lib/domain/jobs/find-job";
import { retryJob } from "#lib/domain/jobs/retry-job";
import { database } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";
import { recordOutage } from "#lib/platform/jobs/attempts";
import { WorkerStopping } from "#lib/platform/jobs/job-errors";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { createProject, testContext } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { runWorker, type Worker } from "./main.ts";
import { runJob } from "./run-job.ts";
import { RunsInProgress } from "./runs-in-progress.ts";

const workers: Worker[] = [];

await createTestDatabase();
const db = database();
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

async function startWorker(options: Parameters<typeof runWorker>[0] = {}): Promise<Worker> {
  const worker = await runWorker(options);
  workers.push(worker);
  return worker;
}

async function trainedProject(): Promise<string> {
  const { id } = await createProject({ name: "Heat" });
  await createModel({ projectId: id });
  return id;
}

/** Locks a row until the returned function is called. */
async function hold(lock: (tx: Transaction) => Promise<unknown>): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const transaction = db.transaction(async (tx) => {
    await lock(tx);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return async () => {
    released.resolve();
    await transaction;
  };
}

/**
 * Creates a checkpoint job that can run, but cannot publish before `release`, because a transaction locks the project's
 * row. Start the worker afterwards.
 */
async function heldJob() {
  const projectId = await trainedProject();
  const { jobId } = await createCheckpoint(testContext(), { projectId });
  const release = await hold((tx) =>
    tx.select().from(projects).where(eq(projects.id, projectId)).for("update"),
  );
  return { projectId, jobId, release };
}

async function createdEvents(projectId: string) {
  const wanted = and(eq(outboxEvents.projectId, projectId), eq(outboxEvents.name, "checkpoint-created"));
  return db.select().from(outboxEvents).where(wanted);
}

const job = (id: string) => findJob(testContext(), id);
const soon = { interval: 25, timeout: 15_000 };

describe("a worker", () => {
  it("takes a committed job within seconds and completes it", async () => {
    await startWorker();
    const projectId = await trainedProject();
    const startedAt = performance.now();
    const { jobId } = await createCheckpoint(testContext(), { projectId });
    await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Completed", attempt: 1 });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it("stops a running job that is cancelled", async () => {
    const { projectId, jobId, release } = await heldJob();
    await startWorker();
    await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Running" });
    await cancelJob(testContext(), { jobId }, abandonOf);
    await release();
    await expect
      .poll(() => job(jobId), soon)
      .toMatchObject({ status: "Cancelled", errorCode: null, attempt: 1 });
    expect(await db.$count(checkpoints, eq(checkpoints.projectId, projectId))).toBe(0);
  });

  it("does not abort an attempt that has completed its job", async () => {
    const { jobId } = await createCheckpoint(testContext(), { projectId: await trainedProject() });
    const completed = await runJobHere(jobId);
    const runs = new RunsInProgress();
    const { signal, done } = runs.register(completed, new AbortController().signal);
    await runs.stopCancelledAndStale(db);
    expect([completed.status, signal.aborted]).toEqual(["Completed", false]);
    done();
  });

  it("fails a job at once whose stored request is no longer valid, and names the field", async () => {
    const { jobId } = await createCheckpoint(testContext(), { projectId: await trainedProject() });
    const [stored] = await db.select().from(jobs).where(eq(jobs.id, jobId));
    const older = { ...stored!, id: newId(), payload: { checkpointId: newId() } };
    await db.insert(jobs).values(older);
    const { status, attempt, errorCode, errorMessage } = await runJobHere(older.id);
    expect([status, attempt, errorCode]).toEqual(["Failed", 1, "job_not_retryable"]);
    expect(errorMessage).toMatch(/^The stored request is no longer valid\..*- setAsDefault: /s);
    const retried = retryJob(testContext(), { jobId: older.id }, retryOf);
    await expect(retried).rejects.toMatchObject({ code: "job_not_retryable" });
  });

  it("fails a job at the time limit of its type and keeps no files, even if the handler ignores the signal", async () => {
    const { projectId, jobId, release } = await heldJob();
    const runs = new RunsInProgress(() => 0.001);
    await runJob(db, jobId, new AbortController().signal, runs);
    expect(await job(jobId)).toMatchObject({ status: "Failed", errorCode: "job_timed_out", attempt: 1 });
    expect((await job(jobId)).errorMessage).toContain("reached the time limit of its type");
    await release();
    const checkpointFolders = async () => keptFolders(`projects/${projectId}/checkpoints`);
    await expect.poll(checkpointFolders, soon).toEqual([]);
    expect(await db.$count(checkpoints, eq(checkpoints.projectId, projectId))).toBe(0);
  });

  it("keeps the crash of an earlier attempt if an outage is recorded twice", async () => {
    const { jobId } = await createCheckpoint(testContext(), { projectId: await trainedProject() });
    const started = { status: "Running", startedAt: new Date() } as const;
    await db
      .update(jobs)
      .set({ ...started, attempt: 1 })
      .where(eq(jobs.id, jobId));
    const [begun] = await db.update(jobs).set({ attempt: 2 }).where(eq(jobs.id, jobId)).returning();
    for (let call = 1; call <= 2; call++) await recordOutage(db, begun!);
    const [row] = await db.select().from(jobs).where(eq(jobs.id, jobId));
    expect(row).toMatchObject({ attempt: 2, failures: 0, interruptions: 1 });
  });

  it("does not count an attempt that begins while the worker stops", async () => {
    const { jobId } = await createCheckpoint(testContext(), { projectId: await trainedProject() });
    const release = await hold((tx) => tx.select().from(jobs).where(eq(jobs.id, jobId)).for("update"));
    const runs = new RunsInProgress();
    const run = runJob(db, jobId, new AbortController().signal, runs);
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%"jobs"%'`;
    await expect.poll(async () => (await db.execute(waiting)).length, soon).toBeGreaterThan(0);
    expect(runs.stopAll()).toEqual([]);
    await release();
    await expect(run).rejects.toThrow(WorkerStopping);
    const [row] = await db.select().from(jobs).where(eq(jobs.id, jobId));
    expect(row).toMatchObject({ status: "Running", attempt: 1, interruptions: 1 });
  });

  it("completes a running job before it stops", async () => {
    const { jobId, release } = await heldJob();
    const worker = await startWorker();
    await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Running" });
    const stopped = worker.stop();
    await release();
    await stopped;
    expect(await job(jobId)).toMatchObject({ status: "Completed", attempt: 1 });
  });

  it("hands over a slow job when it stops, and later writes of the old attempt have no effect", async () => {
    const { projectId, jobId, release } = await heldJob();
    const worker = await startWorker({ drainMs: 50 });
    await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Running" });
    await worker.stop();
    await startWorker();
    await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Running", attempt: 2 });
    await release();
    await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Completed", attempt: 2 });
    expect(await createdEvents(projectId)).toHaveLength(1);
  });

  it("delivers a job again that pg-boss has lost, and fails one without attempts left", async () => {
    const projectId = await trainedProject();
    const lost = await createCheckpoint(testContext(), { projectId });
    const boss = await jobSender();
    await boss.deleteJob("short", lost.jobId);
    const exhausted = await createCheckpoint(testContext(), { projectId });
    await db.execute(
      `update jobs set status = 'Running', attempt = 20, started_at = now() where id = '${exhausted.jobId}'`,
    );
    await boss.deleteJob("short", exhausted.jobId);
    await startWorker();
    await expect.poll(() => job(lost.jobId), soon).toMatchObject({ status: "Completed" });
    await expect
      .poll(() => job(exhausted.jobId), soon)
      .toMatchObject({ status: "Failed", errorCode: "internal_error" });
    expect(await db.$count(checkpoints, eq(checkpoints.projectId, projectId))).toBe(1);
  });
});
