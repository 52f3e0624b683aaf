import { expect, it } from "vitest";
import { readJob } from "#lib/domain/jobs/find-job";
import { database } from "#lib/platform/database/process-database";
import { prepareJob } from "#testing/job-orders";
import { createTestDatabase } from "#testing/postgres";
import { startWorkerHere } from "#testing/worker-process";

const { sql } = await createTestDatabase();

it("a delivery that becomes due while the worker waits starts without a notification", async () => {
  const { order } = await prepareJob("CreateScenario");
  const { jobId } = await order();
  await sql`update pgboss.job set start_after = now() + interval '4 seconds' where id = ${jobId}`;
  await using _worker = await startWorkerHere();
  // Slots alone would ask again after 30 seconds.
  await expect
    .poll(async () => (await readJob(database(), jobId))?.status, { interval: 100, timeout: 20_000 })
    .toBe("Completed");
});
