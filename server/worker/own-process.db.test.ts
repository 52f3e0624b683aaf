import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { abandonOf, retryOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { readJob } from "#lib/domain/jobs/find-job";
import { retryJob } from "#lib/domain/jobs/retry-job";
import { requestTraining } from "#lib/domain/models/request-training";
import { createProject, testContext } from "#testing/api";
import { prepareJob } from "#testing/job-orders";
import { createTestDatabase } from "#testing/postgres";
import { base64 } from "#testing/scenario-factory";
import { missWorkers, startWorkerProcess, type WorkerProcess } from "#testing/worker-process";

// A job that may end its process runs in its own process.

const test = await createTestDatabase();
const { sql, url: databaseUrl } = test;
// Waits for new processes, for pauses before retries, and for a watchdog.
vi.setConfig({ testTimeout: 5 * 60_000 });
const soon = { interval: 50, timeout: 2 * 60_000 };
const job = async (id: string) => (await readJob(test.db, id))!;
const point = "CreateScenario: input made";

/** Requests a training that takes some seconds. */
async function orderTraining(): Promise<string> {
  const { id: projectId } = await createProject();
  const rows = Array.from(
    { length: 5_000 },
    (_, row) => `${row % 97},${row % 89},${(row % 97) * (row % 89)}`,
  );
  await putDataset(testContext(), {
    projectId,
    fileData: base64(`x,z,y\n${rows.join("\n")}\n`),
    target: "y",
  });
  const request = {
    algorithm: "gradient_boosting",
    hyperparameters: { rounds: 600, earlyStopping: false },
  } as const;
  return (await requestTraining(testContext(), { projectId, request })).jobId;
}

/** Requests a scenario whose earlier attempts were lost or failed. */
async function orderSuspect({ failures = 0 } = {}): Promise<string> {
  const { jobId } = await (await prepareJob("CreateScenario")).order();
  await sql`update jobs set status = 'Running', attempt = ${failures + 1}, failures = ${failures}, started_at = now() where id = ${jobId}`;
  return jobId;
}

/**
 * Waits until the worker has a child process, and returns its number.
 *
 * @throws {Error} with the log of the worker if it ends first, or starts none in time
 */
async function childOf({ child: { pid }, log }: WorkerProcess): Promise<number> {
  const endsAt = performance.now() + soon.timeout;
  while (performance.now() < endsAt) {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => {
      throw new Error(`The worker ended before it started a process:\n${log()}`);
    });
    if (Number(children) > 0) return Number(children);
    await delay(soon.interval);
  }
  throw new Error(`The worker started no process:\n${log()}`);
}

it("a job that kills each of its processes fails with the cause, and others lose no attempt", async () => {
  const hostile = await prepareJob("CreateScenario");
  const training = await orderTraining();
  const fault = `kill ${point} (always)`;
  let jobId: string;
  {
    await using first = startWorkerProcess({ databaseUrl, fault });
    await expect.poll(() => job(training), soon).toMatchObject({ status: "Running", stage: "train" });
    ({ jobId } = await hostile.order());
    expect(await first.ended).toBe("SIGKILL");
  }
  expect(await job(jobId)).toMatchObject({ status: "Running", attempt: 1, failures: 0 });
  await missWorkers(sql);

  await using second = startWorkerProcess({ databaseUrl, fault });
  await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Failed", attempt: 4, failures: 2 });
  expect((await job(jobId)).errorMessage).toMatch(
    /^The process of this job was ended by the signal SIGKILL in the last attempt\. Retry the job\./,
  );
  const again = await retryJob(testContext(), { jobId }, retryOf); // A new job of the project ends its own process only, from its first attempt on.
  await expect.poll(() => job(again.jobId), soon).toMatchObject({ status: "Failed", attempt: 3 });
  await expect
    .poll(() => job(training), soon)
    .toMatchObject({ status: "Completed", attempt: 2, failures: 0 });
  expect([second.child.exitCode, second.child.signalCode]).toEqual([null, null]);
});

it("a job in its own process completes, and fails for its own reason, like others", async () => {
  const completing = await orderSuspect();
  const failing = await orderSuspect({ failures: 2 });
  await using worker = startWorkerProcess({ databaseUrl, fault: `throw ${point}` });
  for (const id of [completing, failing]) {
    await expect
      .poll(() => job(id), soon)
      .toMatchObject({ status: "Completed", failures: id === failing ? 2 : 0 });
  }
  worker.child.kill("SIGTERM");
  expect(await worker.ended).toBe(0);

  const wrong = await orderSuspect({ failures: 2 });
  const hanging = await orderSuspect();
  await using _next = startWorkerProcess({ databaseUrl, fault: `throw ${point} (always)` });
  await expect.poll(() => job(wrong), soon).toMatchObject({ status: "Failed", errorCode: "internal_error" });
  expect((await job(wrong)).errorMessage).toContain("report the request ID");
  await expect.poll(() => job(hanging), soon).toMatchObject({ status: "Failed", failures: 2 });
});

it("a job that blocks its process ends by the watchdog, a cancellation, or the end of its worker, which hands it over", async () => {
  const fault = `hang ${point} (always)`;
  const failing = await orderSuspect({ failures: 2 });
  await using first = startWorkerProcess({ databaseUrl, fault, env: { DRAIN_SECONDS: "0" } });
  await expect.poll(() => job(failing), soon).toMatchObject({ status: "Failed", attempt: 4 });
  expect((await job(failing)).errorMessage).toMatch(
    /^The process of this job did not respond for 20 seconds/,
  );

  const cancelled = await orderSuspect();
  await childOf(first);
  await expect.poll(() => job(cancelled), soon).toMatchObject({ attempt: 2 });
  await cancelJob(testContext(), { jobId: cancelled }, abandonOf);
  await expect.poll(() => job(cancelled), soon).toMatchObject({ status: "Cancelled", attempt: 2 });

  const jobId = await orderSuspect();
  await childOf(first);
  await expect.poll(() => job(jobId), soon).toMatchObject({ attempt: 2 });
  first.child.kill("SIGTERM");
  expect(await first.ended).toBe(0);
  expect(await job(jobId)).toMatchObject({ status: "Running", failures: 0, interruptions: 1 });

  await using second = startWorkerProcess({ databaseUrl, fault });
  const child = await childOf(second);
  await expect.poll(() => job(jobId), soon).toMatchObject({ attempt: 3 });
  second.child.kill("SIGKILL");
  const isGone = () =>
    readFile(`/proc/${child}/stat`).then(
      () => false,
      () => true,
    );
  await expect.poll(isGone, soon).toBe(true);
});
