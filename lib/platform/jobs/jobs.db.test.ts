import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Page, Position } from "#db/page";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs, outboxEvents } from "#db/schema/jobs";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { abandonOf, retryOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { findJob } from "#lib/domain/jobs/find-job";
import { listJobs } from "#lib/domain/jobs/list-jobs";
import { retryJob } from "#lib/domain/jobs/retry-job";
import { database } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";
import { store } from "#lib/platform/storage/store";
import { createProject, testContext } from "#testing/api";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { beginAttempt } from "./begin-attempt.ts";
import { enqueueJob } from "./enqueue-job.ts";
import { type JobRow, jobRun } from "./job-run.ts";
import { jobSender } from "./job-sender.ts";

await createTestDatabase();
const db = database();

const deliveries = async (id: string) => (await jobSender()).findJobs("short", { id });

async function enqueued(projectId: string) {
  const request = { type: "DeleteScenario", projectId, payload: { scenarioId: newId() } } as const;
  return db.transaction((tx) => enqueueJob(tx, testContext(), request));
}

async function trainedProject() {
  const { id: projectId } = await createProject({ name: "Heat" });
  return { projectId, model: await createModel({ projectId }) };
}

describe("enqueueJob", () => {
  it("delivers committed jobs and no rolled-back ones", async () => {
    const { id: projectId } = await createProject();
    const { id, status } = await enqueued(projectId);
    expect(status).toBe("Pending");
    expect(await deliveries(id)).toHaveLength(1);
    let lost = "";
    await expect(
      db.transaction(async (tx) => {
        ({ id: lost } = await enqueueJob(tx, testContext(), {
          type: "DeleteScenario",
          projectId,
          payload: { scenarioId: newId() },
        }));
        throw new Error("changed my mind");
      }),
    ).rejects.toThrow("changed my mind");
    expect(await deliveries(lost)).toHaveLength(0);
    expect(await db.$count(jobs, eq(jobs.projectId, projectId))).toBe(1);
    expect(await db.$count(outboxEvents, eq(outboxEvents.projectId, projectId))).toBe(1);
  });
});

describe("listJobs", () => {
  it("lists every job once, newest first, in pages, and filters", async () => {
    const { id: projectId } = await createProject();
    const ids: string[] = [];
    for (let count = 0; count < 7; count++) ids.push((await enqueued(projectId)).id);
    await enqueued((await createProject()).id);
    const seen: string[] = [];
    let after: Position | undefined;
    do {
      const page: Page<JobRow> = await listJobs(db, { projectId, limit: 3, after });
      seen.push(...page.items.map(({ id }) => id));
      after = page.next ?? undefined;
    } while (after);
    expect(seen).toEqual(ids.toReversed());
    await beginAttempt(db, ids[0]!);
    const running = await listJobs(db, { projectId, limit: 50, status: ["Running", "Failed"] });
    expect(running.items.map(({ id }) => id)).toEqual([ids[0]]);
    const none = await listJobs(db, { projectId, limit: 50, type: ["TrainModel"] });
    expect(none).toEqual({ items: [], next: null });
  });
});

describe("a job of another project", () => {
  it("does not exist for a key", async () => {
    const { id: projectId } = await createProject();
    const { id: jobId } = await enqueued(projectId);
    const keyOf = (owner: string) =>
      testContext({ actor: { kind: "api-key", userId: "u", apiKeyId: newId(), projectId: owner } });
    expect(await findJob(keyOf(projectId), jobId)).toMatchObject({ id: jobId });
    const foreign = keyOf((await createProject()).id);
    const rejection = { code: "job_not_found" };
    await expect(findJob(foreign, jobId)).rejects.toMatchObject(rejection);
    await expect(cancelJob(foreign, { jobId }, abandonOf)).rejects.toMatchObject(rejection);
    await expect(retryJob(foreign, { jobId }, retryOf)).rejects.toMatchObject(rejection);
    await expect(findJob(testContext(), newId())).rejects.toMatchObject(rejection);
  });
});

describe("an attempt", () => {
  it("cannot report or complete after another attempt has started", async () => {
    const { id } = await enqueued((await createProject()).id);
    const first = (await beginAttempt(db, id))!;
    const second = (await beginAttempt(db, id))!;
    expect([first.attempt, second.attempt]).toEqual([1, 2]);
    const runOf = (job: typeof first) =>
      jobRun({ db, job, ctx: testContext(), signal: new AbortController().signal });
    await expect(runOf(first).report(50)).rejects.toMatchObject({ name: "StaleAttempt" });
    await expect(db.transaction((tx) => runOf(first).complete(tx))).rejects.toMatchObject({
      name: "StaleAttempt",
    });
    await runOf(second).report(70, { stage: "half", rows: { total: 10, processed: 7 } });
    await runOf(second).report(30);
    expect(await findJob(testContext(), id)).toMatchObject({
      status: "Running",
      progress: 70,
      stage: "half",
      rowsTotal: 10,
      rowsProcessed: 7,
    });
    await db.transaction((tx) => runOf(second).complete(tx, { message: "Done" }));
    expect(await findJob(testContext(), id)).toMatchObject({
      status: "Completed",
      progress: 100,
      message: "Done",
    });
    await expect(db.transaction((tx) => runOf(second).complete(tx))).rejects.toMatchObject({
      name: "StaleAttempt",
    });
  });

  it("never decreases its progress, for reports in any order; the next attempt starts at 0", async () => {
    const { id: projectId } = await createProject();
    const read = async (id: string) => (await findJob(testContext(), id)).progress;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -5, max: 105 }), { maxLength: 8 }), async (reports) => {
        const { id } = await enqueued(projectId);
        let seconds = 0;
        const begin = async () => {
          const part = { db, job: (await beginAttempt(db, id))!, ctx: testContext() };
          return jobRun({ ...part, signal: new AbortController().signal }, () => 1_000 * seconds++);
        };
        // Two runs may report for one attempt at the same time; each has its own throttle.
        const first = await begin();
        const second = jobRun(
          { db, job: first.job, ctx: testContext(), signal: first.signal },
          () => 1_000 * seconds++,
        );
        let most = 0;
        for (const [at, percent] of reports.entries()) {
          await (at % 2 === 0 ? first : second).report(percent);
          most = Math.max(most, Math.min(100, percent));
          expect(await read(id)).toBe(most);
        }
        await begin();
        expect(await read(id)).toBe(0);
      }),
      { numRuns: 10 },
    );
  });

  it("cannot begin once the job has ended", async () => {
    const { projectId } = await trainedProject();
    const { jobId } = await createCheckpoint(testContext(), { projectId });
    await cancelJob(testContext(), { jobId }, abandonOf);
    expect(await beginAttempt(db, jobId)).toBeNull();
  });
});

describe("cancelling", () => {
  it("ends a waiting job at once, drops its reservation, and prevents its delivery", async () => {
    const { projectId } = await trainedProject();
    const { jobId } = await createCheckpoint(testContext(), { projectId, label: "Wanted" });
    expect(await cancelJob(testContext(), { jobId }, abandonOf)).toMatchObject({ status: "Cancelled" });
    expect(await db.$count(checkpoints, eq(checkpoints.projectId, projectId))).toBe(0);
    expect((await deliveries(jobId)).map(({ state }) => state)).toEqual(["cancelled"]);
    const events = await db.select().from(outboxEvents).where(eq(outboxEvents.projectId, projectId));
    expect(events.map(({ name, payload }) => `${name} ${payload.status}`)).toEqual([
      "job-updated Pending",
      "checkpoint-failed Cancelled",
      "job-updated Cancelled",
    ]);
    await expect(cancelJob(testContext(), { jobId }, abandonOf)).rejects.toMatchObject({
      code: "job_not_cancellable",
    });
  });

  it("stops a running job before it completes", async () => {
    const { projectId } = await trainedProject();
    const { jobId } = await createCheckpoint(testContext(), { projectId });
    await db.execute(`update pgboss.job set state = 'active', started_on = now() where id = '${jobId}'`);
    await beginAttempt(db, jobId);
    const asked = await cancelJob(testContext(), { jobId }, abandonOf);
    expect(asked).toMatchObject({ status: "Running", cancelRequested: true });
    await cancelJob(testContext(), { jobId }, abandonOf);
    expect(await runJobHere(jobId)).toMatchObject({ status: "Cancelled", attempt: 2 });
    expect(await db.$count(checkpoints, eq(checkpoints.projectId, projectId))).toBe(0);
  });

  it("ends a job that waits for its next attempt at once, without a free worker", async () => {
    const { projectId } = await trainedProject();
    const { jobId } = await createCheckpoint(testContext(), { projectId });
    await beginAttempt(db, jobId);
    expect(await cancelJob(testContext(), { jobId }, abandonOf)).toMatchObject({
      status: "Cancelled",
      attempt: 1,
    });
    expect(await db.$count(checkpoints, eq(checkpoints.projectId, projectId))).toBe(0);
    expect(await beginAttempt(db, jobId)).toBeNull();
  });

  it("rejects a deletion", async () => {
    const { id: jobId } = await enqueued((await createProject()).id);
    await expect(cancelJob(testContext(), { jobId }, abandonOf)).rejects.toMatchObject({
      code: "job_not_cancellable",
    });
  });
});

describe("a job that keeps failing", () => {
  it("is Failed after three attempts, with a message without internals, and can be retried", async () => {
    const { projectId, model } = await trainedProject();
    const artifacts = new Map<string, Uint8Array>();
    for (const name of Object.keys((await store().readManifest(model.artifactKey)).files)) {
      artifacts.set(name, await store().readFile(model.artifactKey, name));
    }
    await store().deleteFolder(model.artifactKey);
    const { jobId } = await createCheckpoint(testContext(), { projectId, label: "Wanted" });
    for (let attempt = 1; attempt <= 2; attempt++) {
      await expect(runJobHere(jobId)).rejects.toThrow();
      expect(await findJob(testContext(), jobId)).toMatchObject({ status: "Running", attempt });
    }
    const failed = await runJobHere(jobId);
    expect(failed).toMatchObject({ status: "Failed", attempt: 3, errorCode: "internal_error" });
    expect(failed.errorMessage).not.toMatch(/projects\//);
    expect(await db.$count(checkpoints, eq(checkpoints.projectId, projectId))).toBe(0);

    await store().writeFolder(model.artifactKey, artifacts);
    const { jobId: again } = await retryJob(testContext(), { jobId }, retryOf);
    const repeated = await findJob(testContext(), again);
    expect(repeated).toMatchObject({ status: "Pending", retryOf: jobId, type: "CreateCheckpoint" });
    expect(repeated.checkpointId).not.toBe(failed.checkpointId);
    await expect(retryJob(testContext(), { jobId }, retryOf)).rejects.toMatchObject({
      code: "job_not_retryable",
    });
    expect(await runJobHere(again)).toMatchObject({ status: "Completed", attempt: 1 });
    const [row] = await db.select().from(checkpoints).where(eq(checkpoints.projectId, projectId));
    expect(row).toMatchObject({ id: repeated.checkpointId, label: "Wanted", state: "ready" });
    expect(await findJob(testContext(), jobId)).toEqual(failed);
    await expect(retryJob(testContext(), { jobId: again }, retryOf)).rejects.toMatchObject({
      code: "job_not_retryable",
    });
  });
});

describe("the database", () => {
  it("rejects transitions that the state machine does not have", async () => {
    const { id } = await enqueued((await createProject()).id);
    const set = (status: "Pending" | "Completed") =>
      db.update(jobs).set({ status, finishedAt: new Date() }).where(eq(jobs.id, id));
    await expect(set("Completed")).rejects.toMatchObject({
      cause: { constraint_name: "jobs_legal_transition" },
    });
  });
});
