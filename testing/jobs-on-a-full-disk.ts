// Run by server/worker/full-disk.db.test.ts, with a small disk of its own: does a job of each type that writes while the
// disk is full, then its repetition with room; prints how they ended and what was left in between.
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { database } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { projects } from "#db/schema/projects";
import { toDomainError } from "#lib/api/response/error-answer";
import { removeLoose } from "#lib/artifacts/remove-loose";
import type { Context } from "#lib/context/context";
import { ImportModel } from "#lib/contract/import-model";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { retryJob } from "#lib/domain/jobs/retry-job";
import { requestImport } from "#lib/domain/models/request-import";
import { requestTraining } from "#lib/domain/models/request-training";
import { createScenario } from "#lib/domain/scenarios/create-scenario";
import { linearToOnnx } from "#lib/engine/onnx/write-model";
import { environment } from "#lib/platform/config/environment";
import { newId } from "#lib/platform/ids/new-id";
import { store } from "#lib/platform/storage/store";
import { retryOf } from "#lib/worker/handler-registry";
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

const kept = async () => [(await store().listFolders("")).length, await db.$count(checkpoints)];
const before = await kept();
const asked = {
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
const full: Record<string, unknown> = { upload: { code: (uploading as { code: string }).code } };
for (const [type, { jobId }] of Object.entries(asked)) {
  const { status, attempt, errorCode, errorMessage } = await runJobHere(jobId);
  full[type] = { status, attempt, errorCode, errorMessage };
}
await removeLoose(db);
const after = await kept();

rmSync(filler);
const withRoom: Record<string, string> = {};
for (const [type, { jobId }] of Object.entries(asked)) {
  const again = await retryJob(ctx, { jobId }, retryOf);
  withRoom[type] = (await runJobHere(again.jobId)).status;
}
console.log(JSON.stringify({ full, before, after, withRoom }));
process.exit(0);
