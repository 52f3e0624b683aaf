import { createHash } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import type { JobType } from "#lib/contract/jobs";
import { addKeyUses } from "#lib/domain/api-keys/count-uses";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { readJob } from "#lib/domain/jobs/find-job";
import { requestTraining } from "#lib/domain/models/request-training";
import { readTables } from "#lib/platform/backup/tables";
import { store } from "#lib/platform/storage/store";
import { createProject, testContext } from "#testing/api";
import type { FaultPoint } from "#testing/fault-points";
import { prepareJob } from "#testing/job-orders";
import { createTestDatabase } from "#testing/postgres";
import { base64 } from "#testing/scenario-factory";
import { checkStoredFiles } from "#testing/stored-files";
import {
  isStopped,
  missWorkers,
  skipPauses,
  startWorkerHere,
  startWorkerProcess,
} from "#testing/worker-process";
import { runWorker } from "./main.ts";

const test = await createTestDatabase();
const { db, sql } = test;
const databaseUrl = test.url;
// Each test waits for leases of dead workers, ten seconds each, and for jobs of new processes.
vi.setConfig({ testTimeout: 5 * 60_000 });
const soon = { interval: 50, timeout: 2 * 60_000 };
const job = async (id: string) => (await readJob(db, id))!;

afterEach(async () => checkStoredFiles(sql, store()));

/** Returns every row and a hash of every file. Excludes orphans, because any worker may delete them at any time. */
async function snapshot(): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const { name } of await readTables(sql)) {
    if (name === "orphaned_artifacts") continue;
    const rows = await sql`select to_jsonb(t)::text as row from ${sql(name)} t order by 1`;
    found[name] = rows.map(({ row }) => row);
  }
  const orphans = (await sql`select key from orphaned_artifacts`).map((row) => row.key as string);
  for (const key of await store().listFolders("")) {
    if (orphans.includes(key)) continue;
    for (const name of Object.keys((await store().readManifest(key)).files)) {
      const hash = createHash("sha256").update(await store().readFile(key, name));
      found[`${key}/${name}`] = hash.digest("hex");
    }
  }
  return found;
}

it("a halted worker that resumes after its leases have expired changes no rows or files", async () => {
  const halts = [
    ["CreateScenario", "predicted"],
    ["TrainModel", "trained"],
    ["CreateCheckpoint", "artifacts written"],
  ] satisfies [JobType, FaultPoint][];
  const prepared = await Promise.all(halts.map(([type]) => prepareJob(type)));
  await using stale = new AsyncDisposableStack();
  const halted = [];
  const jobIds: string[] = [];
  for (const [at, [type, point]] of halts.entries()) {
    const worker = stale.use(startWorkerProcess({ databaseUrl, fault: `stop ${type}: ${point}` }));
    const { jobId } = await prepared[at]!.order();
    await isStopped(worker);
    halted.push(worker);
    jobIds.push(jobId);
  }
  await missWorkers(sql);
  await using other = startWorkerProcess({ databaseUrl });
  for (const id of jobIds) {
    await expect.poll(() => job(id), soon).toMatchObject({ status: "Completed" });
  }
  other.child.kill("SIGTERM"); // From here on, only stale workers change rows.
  await other.ended;
  await addKeyUses(db); // Otherwise a timer writes the counts of this process later.
  const before = await snapshot();
  for (const { child } of halted) child.kill("SIGCONT");
  await Promise.all(halted.map((worker) => worker.says("the attempt is no longer current")));
  expect(await snapshot()).toEqual(before);
});

it("a training completes after several workers have stopped and handed it over", async () => {
  const { id: projectId } = await createProject();
  const rows = Array.from(
    { length: 20_000 },
    (_, row) => `${row % 97},${row % 89},${(row % 97) * (row % 89)}`,
  );
  const csv = `x,z,y\n${rows.join("\n")}\n`;
  await putDataset(testContext(), { projectId, fileData: base64(csv), target: "y" });
  const hyperparameters = { rounds: 600, earlyStopping: false };
  const request = { algorithm: "gradient_boosting", hyperparameters } as const;
  const { jobId } = await requestTraining(testContext(), { projectId, request });
  const isTraining = (attempt: number) =>
    expect.poll(() => job(jobId), soon).toMatchObject({ status: "Running", attempt, stage: "train" });
  const isHandedOver = async (interruptions: number) => {
    expect(await job(jobId)).toMatchObject({ status: "Running", interruptions, failures: 0 });
    await skipPauses(sql);
  };
  await using first = startWorkerProcess({ databaseUrl, env: { DRAIN_SECONDS: "0" } });
  await isTraining(1);
  first.child.kill("SIGTERM");
  expect(await first.ended).toBe(0);
  await isHandedOver(1);
  for (const restart of [2, 3]) {
    const worker = await runWorker({ drainMs: 0 });
    await isTraining(restart);
    await worker.stop();
    await isHandedOver(restart);
  }
  await using _last = await startWorkerHere();
  await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Completed", attempt: 4 });
});
