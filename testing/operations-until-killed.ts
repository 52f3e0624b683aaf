// Run by lib/platform/artifacts/crashes.db.test.ts. Performs random operations on projects and runs their jobs, several
// at a time. Starts at the first message from the parent process and never ends; the test kills the process.

import { once } from "node:events";
import { flushCompileCache } from "node:module";
import { buffer } from "node:stream/consumers";
import { and, eq, isNull } from "drizzle-orm";
import { checkpoints } from "#db/schema/checkpoints";
import { uploads } from "#db/schema/datasets";
import { jobs } from "#db/schema/jobs";
import { projects } from "#db/schema/projects";
import { scenarios } from "#db/schema/scenarios";
import { ImportModel } from "#lib/contract/import-model";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { exportCheckpoint } from "#lib/domain/checkpoints/export-checkpoint";
import { importCheckpoint } from "#lib/domain/checkpoints/import-checkpoint";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { correctRows } from "#lib/domain/datasets/correct-rows";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { listVersions } from "#lib/domain/datasets/list-versions";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { restoreVersion } from "#lib/domain/datasets/restore-version";
import { abandonOf, retryOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { retryJob } from "#lib/domain/jobs/retry-job";
import { requestImport } from "#lib/domain/models/request-import";
import { requestTraining } from "#lib/domain/models/request-training";
import { deleteProject } from "#lib/domain/projects/delete-project";
import { createScenario } from "#lib/domain/scenarios/create-scenario";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { requestRun } from "#lib/domain/scenarios/runs/request-run";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { linearToOnnx } from "#lib/engine/onnx/write-model";
import type { Context } from "#lib/platform/context/context";
import { database } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";
import { createModel } from "./model-factory.ts";
import { runJobHere } from "./run-jobs.ts";

const db = database();
const ctx: Context = {
  db,
  actor: { kind: "session", userId: "user-of-tests", role: "admin" },
  requestId: newId(),
};
/** Random numbers. The same seed gives the same sequence. */
const random = seededRandom(Number(process.argv[2]));
const pick = <T>(items: readonly T[]): T | undefined => items[random.below(items.length)];
const base64 = (content: string | Uint8Array) => Buffer.from(content as string).toString("base64");
const csv = "temp,wind,demand\n1,2,8\n3,4,18\n5,6,28\n";
const line = {
  kind: "linear",
  coefficients: Float64Array.of(3),
  intercept: 1,
  means: Float64Array.of(0),
} as const;
const onnx = base64(linearToOnnx(line, {}));
const file = {
  modelName: "m",
  target: "y",
  targetMetric: "rmse",
  inputs: [{ feature: "x" }],
  fileData: onnx,
};

async function newProject(): Promise<void> {
  const projectId = newId();
  await db.insert(projects).values({ id: projectId, name: "Storm", createdBy: "user-of-tests" });
  await putDataset(ctx, { projectId, fileData: base64(csv), target: "demand" });
  await createModel({ projectId });
}

async function anyProject(): Promise<string> {
  const rows = await db.select({ id: projects.id }).from(projects).where(isNull(projects.deletedAt));
  return pick(rows)?.id ?? newId();
}
const anyOf = async (table: typeof checkpoints | typeof scenarios | typeof uploads, projectId: string) =>
  pick(await db.select({ id: table.id }).from(table).where(eq(table.projectId, projectId)))?.id ?? newId();
const anyJob = async (status: "Pending" | "Running" | "Failed" | "Cancelled") =>
  pick(await db.select({ id: jobs.id }).from(jobs).where(eq(jobs.status, status)))?.id ?? newId();

const operations: Record<string, (projectId: string) => Promise<unknown>> = {
  "new project": newProject,
  upload: (projectId) =>
    createUpload(ctx, {
      projectId,
      isCsv: true,
      content: (async function* () {
        yield Buffer.from(csv);
      })(),
    }),
  dataset: (projectId) => putDataset(ctx, { projectId, fileData: base64(csv), target: "demand" }),
  append: (projectId) => appendRows(ctx, { projectId, fileData: base64(csv) }),
  correct: (projectId) =>
    correctRows(ctx, { projectId, set: [{ row: 2, values: { demand: random.below(99) } }] }),
  restore: async (projectId) => {
    const versionId = pick((await listVersions(ctx, { projectId })).items)?.id ?? newId();
    await restoreVersion(ctx, { projectId, versionId });
  },
  train: (projectId) => requestTraining(ctx, { projectId, request: { algorithm: "ridge" } }),
  import: (projectId) => requestImport(ctx, { projectId, request: ImportModel.parse(file) }),
  checkpoint: (projectId) => createCheckpoint(ctx, { projectId }),
  "delete checkpoint": async (projectId) =>
    deleteCheckpoint(ctx, { projectId, checkpointId: await anyOf(checkpoints, projectId) }),
  "copy checkpoint": async (projectId) => {
    const checkpointId = await anyOf(checkpoints, projectId);
    const { content } = await exportCheckpoint({ db }, { projectId, checkpointId });
    await importCheckpoint(ctx, { projectId: await anyProject(), fileData: base64(await buffer(content)) });
  },
  scenario: async (projectId) =>
    createScenario(ctx, {
      projectId,
      title: "Storm",
      checkpointId: await anyOf(checkpoints, projectId),
      fileData: base64(csv),
    }),
  "scenario of an upload": async (projectId) =>
    createScenario(ctx, { projectId, title: "Storm", uploadId: await anyOf(uploads, projectId) }),
  "delete scenario": async (projectId) =>
    deleteScenario(ctx, { projectId, scenarioId: await anyOf(scenarios, projectId) }),
  run: async (projectId) =>
    requestRun(ctx, {
      projectId,
      scenarioId: await anyOf(scenarios, projectId),
      checkpointId: pick([undefined, "current"]),
    }),
  cancel: async () => cancelJob(ctx, { jobId: await anyJob("Pending") }, abandonOf),
  retry: async () => retryJob(ctx, { jobId: await anyJob(pick(["Failed", "Cancelled"])!) }, retryOf),
  "delete project": async (projectId) =>
    (await db.$count(projects, isNull(projects.deletedAt))) > 3 && deleteProject(ctx, { projectId }),
  work: async () => runJobHere(await anyJob("Pending")),
  "work again": async () => runJobHere(await anyJob("Running")),
};
const names = [...Object.keys(operations), "work", "work", "work", "work"];

async function performForever(): Promise<never> {
  for (;;) {
    const name = pick(names)!;
    try {
      await operations[name]!(await anyProject());
    } catch {} // An operation may be invalid, or a concurrent one may have deleted its subject.
    process.send?.(name);
  }
}
await once(process, "message");
while ((await db.$count(projects, and(isNull(projects.deletedAt)))) < 2) await newProject();
flushCompileCache(); // A killed process does not write it, and the next one would strip all types again.
process.send?.("begins");
await Promise.all([performForever(), performForever(), performForever()]);
