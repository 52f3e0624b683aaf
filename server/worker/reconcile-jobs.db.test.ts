import { expect, test } from "vitest";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { createProject, testContext } from "#testing/api";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { waitForLock } from "#testing/wait-for-lock";
import { reconcileJobs } from "./reconcile-jobs.ts";

const { db, sql } = await createTestDatabase();

/** Requests a job and returns its ID. */
async function orderJob(): Promise<string> {
  const { id: projectId } = await createProject();
  await createModel({ projectId });
  return (await createCheckpoint(testContext(), { projectId })).jobId;
}

/** Returns the state of each delivery by job. */
async function deliveries(): Promise<Record<string, string>> {
  const rows = await sql<{ id: string; state: string }[]>`select id::text, state from pgboss.job`;
  return Object.fromEntries(rows.map(({ id, state }) => [id, state]));
}

test("two workers that find the same undelivered job deliver it once", async () => {
  const boss = await jobSender();
  const [first, second] = [await orderJob(), await orderJob()];
  await sql`update pgboss.job set state = 'failed' where id = ${first}`;
  await sql`delete from pgboss.job where id = ${second}`;
  const released = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = sql.begin(async (tx) => {
    await tx`select from pgboss.job where id = ${first} for update`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  // Finds both jobs, and waits for the first job's old delivery.
  const slow = reconcileJobs(db, boss);
  await waitForLock(sql);
  expect(await deliveries()).toEqual({ [first]: "failed" });
  await reconcileJobs(db, boss); // Another worker, which recovers the second job.
  expect(await boss.fetch("short")).toMatchObject([{ data: { jobId: second } }]);
  released.resolve();
  await Promise.all([holding, slow]);
  expect(await deliveries()).toEqual({ [first]: "created", [second]: "active" });
});
