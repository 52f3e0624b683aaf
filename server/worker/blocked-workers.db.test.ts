import { expect, it, vi } from "vitest";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { readJob } from "#lib/domain/jobs/find-job";
import { createProject, testContext } from "#testing/api";
import { prepareJob } from "#testing/job-orders";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { startWorkerHere, startWorkerProcess } from "#testing/worker-process";

const test = await createTestDatabase();
const databaseUrl = test.url;
// A blocked loop outlasts leases of ten seconds.
vi.setConfig({ testTimeout: 5 * 60_000 });
const soon = { interval: 50, timeout: 2 * 60_000 };
const job = async (id: string) => (await readJob(test.db, id))!;

it("a worker keeps its jobs while one of them blocks the main loop for longer than a lease", async () => {
  const blocking = await prepareJob("CreateScenario");
  await using _worker = startWorkerProcess({ databaseUrl, fault: "block CreateScenario: input made" });
  const { jobId } = await blocking.order();
  await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Running" });
  await using _other = await startWorkerHere(); // Would take the job when its lease expires.
  await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Completed", attempt: 1 });
});

it("a worker whose main loop stays blocked ends by itself after SIGTERM, and another completes its jobs", async () => {
  const hanging = await prepareJob("CreateScenario");
  const other = await createProject();
  await createModel({ projectId: other.id });
  await using worker = startWorkerProcess({ databaseUrl, fault: "hang CreateScenario: input made" });
  const { jobId } = await hanging.order();
  await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Running" });
  worker.child.kill("SIGTERM");
  // The signal arrives shortly before or after the loop blocks. It has no effect by itself.
  expect(await worker.ended).toBe("SIGALRM");
  await using _other = await startWorkerHere();
  const { jobId: checkpoint } = await createCheckpoint(testContext(), { projectId: other.id });
  for (const id of [jobId, checkpoint]) {
    await expect.poll(() => job(id), soon).toMatchObject({ status: "Completed", failures: 0 });
  }
});
