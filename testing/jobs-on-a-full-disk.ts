// Run by server/worker/full-disk.db.test.ts with a small separate disk. Runs a job of each type that writes artifacts
// while the disk is full. Then frees space and retries the jobs. Prints their outcomes, and the numbers of folders and
// checkpoints before and after the failed jobs.
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { checkpoints } from "#db/schema/checkpoints";
import { projects } from "#db/schema/projects";
import { toDomainError } from "#lib/api/response/error-answer";
import { ImportModel } from "#lib/contract/import-model";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { retryOf } from "#lib/domain/job-handlers/handler-registry";
import { retryJob } from "#lib/domain/jobs/retry-job";
import { requestImport } from "#lib/domain/models/request-import";
import { requestTraining } from "#lib/domain/models/request-training";
import { createScenario } from "#lib/domain/scenarios/create-scenario";
import { linearToOnnx } from "#lib/engine/onnx/write-model";
import { deleteOrphans } from "#lib/platform/artifacts/delete-orphans";
import { environment } from "#lib/platform/config/environment";
import type { Context } from "#lib/platform/context/context";
import { database } from "#lib/platform/database/process-database";
import { answerReadiness } from "#lib/platform/health/probes";
import { newId } from "#lib/platform/ids/new-id";
import { store } from "#lib/platform/storage/store";
import { createModel } from "./model-factory.ts";
import { runJobHere } from "./run-jobs.ts";

const db = database();
const projectId = newId();
const ctx: Context = {
  db,
  actor: { kind: "session", userId: "user-of-tests", role: "admin" },
  requestId: newId(),
};
await db.insert(projects).values({ id: projectId, name: "Full", createdBy: "user-of-tests" });
const base64 = (text: string) => Buffer.from(text).toString("base64");
const rows = Array.from({ length: 40 }, (_, i) => `${i % 7},${i % 5},${3 * (i % 7) + 2 * (i % 5) + 1}`);
await putDataset(ctx, {
  projectId,
  fileData: base64(`temp,wind,demand\n${rows.join("\n")}\n`),
  target: "demand",
});
await createModel({ projectId });
const upload = async (content: Uint8Array, isCsv: boolean) =>
  (await createUpload(ctx, { projectId, isCsv, content: [content] as unknown as AsyncIterable<Uint8Array> }))
    .uploadId;
const line = {
  kind: "linear",
  coefficients: Float64Array.of(3),
  intercept: 1,
  means: Float64Array.of(0),
} as const;
const file = { modelName: "m", target: "y", targetMetric: "rmse", inputs: [{ feature: "x" }] };
const modelUpload = await upload(linearToOnnx(line, {}), false);
const csvUpload = await upload(Buffer.from("temp,wind\n1,2\n3,4\n"), true);
const saved = await createCheckpoint(ctx, { projectId });
await runJobHere(saved.jobId);

const countStored = async () => [(await store().listFolders("")).length, await db.$count(checkpoints)];
const before = await countStored();
const requested = {
  TrainModel: await requestTraining(ctx, { projectId, request: { algorithm: "ridge" } }),
  ImportModel: await requestImport(ctx, {
    projectId,
    request: ImportModel.parse({ ...file, uploadId: modelUpload }),
  }),
  CreateCheckpoint: await createCheckpoint(ctx, { projectId, label: "On a full disk" }),
  CreateScenario: await createScenario(ctx, {
    projectId,
    title: "Full",
    checkpointId: saved.checkpointId,
    uploadId: csvUpload,
  }),
};

const filler = path.join((environment().storage as { folder: string }).folder, "..", "filler");
try {
  writeFileSync(filler, Buffer.alloc(100_000_000));
} catch {}
const uploading = await upload(Buffer.alloc(200_000, "x"), false).catch((error: unknown) =>
  toDomainError(error),
);
const readiness = async () => ((await (await answerReadiness(db)).json()) as { checks: unknown }).checks;
const full: Record<string, unknown> = {
  readiness: await readiness(),
  upload: { code: (uploading as { code: string }).code },
};
for (const [type, { jobId }] of Object.entries(requested)) {
  const { status, attempt, errorCode, errorMessage } = await runJobHere(jobId);
  full[type] = { status, attempt, errorCode, errorMessage };
}
await deleteOrphans(db);
const after = await countStored();

rmSync(filler);
const withRoom: Record<string, unknown> = { readiness: await readiness() };
for (const [type, { jobId }] of Object.entries(requested)) {
  const retry = await retryJob(ctx, { jobId }, retryOf);
  withRoom[type] = (await runJobHere(retry.jobId)).status;
}
console.log(JSON.stringify({ full, before, after, withRoom }));
process.exit(0);
