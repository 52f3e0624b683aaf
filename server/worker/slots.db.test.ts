import { expect, it, vi } from "vitest";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { abandonOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { readJob } from "#lib/domain/jobs/find-job";
import { database } from "#lib/platform/database/process-database";
import { createProject, testContext } from "#testing/api";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { createTrainedProject, postScenario } from "#testing/scenario-factory";
import { startWorkerHere } from "#testing/worker-process";

await createTestDatabase();
vi.setConfig({ testTimeout: 3 * 60_000 }); // Trains a model, and reads and predicts 600,000 rows meanwhile.
const soon = { interval: 50, timeout: 60_000 };
const job = async (id: string) => (await readJob(database(), id))!;

/** Returns a CSV with a row every ten minutes. */
function rowsFrom(from: number, count: number): string {
  const lines = Array.from({ length: count }, (_, at) => {
    const row = from + at;
    return `${new Date(600_000 * row).toISOString()},${(row * 7_919) % 1_009},${(row * 104_729) % 977}`;
  });
  return `time,a,y\n${lines.join("\n")}\n`;
}

it("a checkpoint of another project completes while four long scenarios of one project hold a worker", async () => {
  const busy = await createTrainedProject({
    csv: rowsFrom(0, 1_000),
    target: "y",
    timestamp: "time",
    request: { algorithm: "ridge", features: { lags: [1], calendar: false } },
  });
  const other = await createProject();
  await createModel({ projectId: other.id });
  const content = (async function* () {
    yield Buffer.from(rowsFrom(1_000, 200_000));
  })();
  const { uploadId } = await createUpload(testContext(), { ...busy, content, isCsv: true });
  const long: string[] = [];
  for (let count = 0; count < 4; count++) long.push((await postScenario(busy, { uploadId })).data.jobId);
  const states = async () => (await Promise.all(long.map(job))).map(({ status }) => status).sort();

  await using _worker = await startWorkerHere();
  await expect.poll(states, soon).toEqual(["Pending", "Running", "Running", "Running"]);
  const { jobId } = await createCheckpoint(testContext(), { projectId: other.id });
  await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Completed", attempt: 1 });
  expect(await states()).toEqual(["Pending", "Running", "Running", "Running"]);
  for (const id of long) await cancelJob(testContext(), { jobId: id }, abandonOf);
});
