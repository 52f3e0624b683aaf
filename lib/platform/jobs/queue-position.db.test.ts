import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { jobs } from "#db/schema/jobs";
import { database } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";
import { runWorker } from "#server/worker/main";
import { testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { beginAttempt } from "./begin-attempt.ts";
import { fetchOptions } from "./boss-options.ts";
import { type QueueName, queueNames } from "./catalogue.ts";
import { enqueueJob } from "./enqueue-job.ts";
import { jobSender } from "./job-sender.ts";

const { sql } = await createTestDatabase();
const db = database();
const boss = await jobSender();
afterEach(async () => {
  for (const queue of queueNames) await boss.deleteAllJobs(queue);
  await sql`delete from jobs`;
});

const requests = {
  short: () => ({ type: "DeleteScenario", payload: { scenarioId: newId() } }) as const,
  long: () => ({ type: "TrainModel", payload: {} }) as const,
};

async function enqueue(projectId: string, queue: QueueName = "short"): Promise<string> {
  const request = { projectId, ...requests[queue]() };
  return (await db.transaction((tx) => enqueueJob(tx, testContext(), request))).id;
}

/** As many more as wait after so many calls of `enqueue`. */
async function enqueueMany(projectId: string, count: number): Promise<void> {
  await enqueue(projectId);
  const added = await sql<{ id: string; position: number }[]>`
    insert into jobs (id, project_id, type, status, payload, created_by, queue_position)
    select gen_random_uuid(), project_id, type, status, jsonb_build_object('scenarioId', gen_random_uuid()), created_by, queue_position + number
    from jobs, generate_series(1, ${count - 1}) as number where project_id = ${projectId} returning id, queue_position as position`;
  const deliveries = added.map(({ id, position }) => ({ id, data: { jobId: id }, priority: -position }));
  await boss.insert("short", deliveries);
}

/** The next job as a worker takes it; null where none is delivered. */
async function takeNext(queue: QueueName = "short") {
  const [delivery] = await boss.fetch<{ jobId: string }>(
    queue,
    queue === "long" ? fetchOptions(queue, 1) : {},
  );
  return delivery === undefined ? null : (await beginAttempt(db, delivery.data.jobId))!;
}

describe("a fair queue", () => {
  it("lets later jobs of another project overtake a job at most once per earlier waiting job of its project", async () => {
    const takes = fc.constant(null);
    const steps = fc.array(fc.oneof(fc.nat(3), takes), { minLength: 10, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, async (calls) => {
        const projects = Array.from({ length: 4 }, () => randomUUID());
        const waiting = new Map<string, { projectId: string; allowed: Map<string, number> }>();
        const take = async () => {
          const job = await takeNext();
          if (job === null) return false;
          const number = [...waiting.keys()].indexOf(job.id);
          waiting.delete(job.id);
          for (const { projectId, allowed } of [...waiting.values()].slice(0, number)) {
            if (projectId === job.projectId) continue;
            const left = allowed.get(job.projectId)! - 1;
            expect(left).toBeGreaterThanOrEqual(0);
            allowed.set(job.projectId, left);
          }
          return true;
        };
        for (const call of calls) {
          if (call === null) await take();
          else {
            const projectId = projects[call]!;
            const before = [...waiting.values()].filter((one) => one.projectId === projectId).length;
            const allowed = new Map(projects.map((other) => [other, before]));
            waiting.set(await enqueue(projectId), { projectId, allowed });
          }
        }
        while (await take());
        expect(waiting.size).toBe(0);
      }),
      { numRuns: 5 },
    );
  });

  it("does not delay a few jobs behind 10,000 jobs of another project", async () => {
    const [busy, other] = [randomUUID(), randomUUID()];
    await enqueueMany(busy, 10_000);
    for (let count = 0; count < 10; count++) expect(await takeNext()).toMatchObject({ projectId: busy });
    for (let count = 0; count < 3; count++) await enqueue(other);
    const begun: unknown[] = [];
    for (let count = 0; count < 6; count++) begun.push((await takeNext())?.projectId);
    expect(begun).toEqual([busy, other, busy, other, busy, other]);

    const concurrency = 4;
    const worker = await runWorker({ concurrency });
    try {
      const begunOfBusy = () =>
        sql`select from jobs where project_id = ${busy} and attempt > 0`.then(({ count }) => count);
      await expect.poll(begunOfBusy, { interval: 20, timeout: 30_000 }).toBeGreaterThan(50);
      const id = await enqueue(other);
      const one = async () => (await db.select().from(jobs).where(eq(jobs.id, id)))[0]!.startedAt;
      await expect.poll(one, { interval: 20, timeout: 30_000 }).not.toBeNull();
      const between = await sql`select from jobs, (select * from jobs where id = ${id}) as one
        where jobs.project_id = ${busy} and jobs.started_at between one.created_at and one.started_at`;
      expect(between.count).toBeLessThanOrEqual(2 * concurrency);
    } finally {
      await worker.stop();
    }
  }, 120_000); // Two waits for the worker may take 30 s each.

  it("runs one long job per project, so that its trainings do not occupy every worker", async () => {
    const [busy, other] = [randomUUID(), randomUUID()];
    for (let count = 0; count < 3; count++) await enqueue(busy, "long");
    const first = await takeNext("long");
    expect(first).toMatchObject({ projectId: busy });
    expect(await takeNext("long")).toBeNull();
    await enqueue(other, "long");
    expect(await takeNext("long")).toMatchObject({ projectId: other });
    await boss.complete("long", first!.id);
    expect(await takeNext("long")).toMatchObject({ projectId: busy });
  });
});
