import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { uploads } from "#db/schema/datasets";
import type { JobType } from "#lib/contract/jobs";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { abandonOf, retryOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { findJob } from "#lib/domain/jobs/find-job";
import { retryJob } from "#lib/domain/jobs/retry-job";
import { requestImport } from "#lib/domain/models/request-import";
import { requestTraining } from "#lib/domain/models/request-training";
import { deleteProject } from "#lib/domain/projects/delete-project";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { linearToOnnx } from "#lib/engine/onnx/write-model";
import { database } from "#lib/platform/database/process-database";
import { testContext } from "#testing/api";
import { createPopulatedProject, createReadyCheckpoint, inputCsv } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { base64, postScenario } from "#testing/scenario-factory";
import { beginAttempt } from "./begin-attempt.ts";
import { catalogue } from "./catalogue.ts";
import { endJob } from "./end-job.ts";

await createTestDatabase();
const db = database();
const ctx = testContext();
const own = await createPopulatedProject();
const { projectId } = own;

const upload = async (bytes: Uint8Array, isCsv: boolean) => {
  const content = (async function* () {
    yield bytes;
  })();
  return (await createUpload(ctx, { projectId, content, isCsv })).uploadId;
};

const importing = async () => {
  const model = {
    kind: "linear",
    coefficients: Float64Array.of(3),
    intercept: 1,
    means: Float64Array.of(0),
  } as const;
  const fields = { modelName: "Own", target: "demand", targetMetric: "mae" } as const;
  const uploadId = await upload(linearToOnnx(model, {}), false);
  return requestImport(ctx, { projectId, request: { ...fields, inputs: [{ feature: "temp" }], uploadId } });
};
const scenarioOf = async (file: object) =>
  (await postScenario(own, { checkpointId: own.checkpointId, ...file })).data;

/** Starts a job of each type. */
const starts: Record<JobType, () => Promise<{ jobId: string }>> = {
  TrainModel: () => requestTraining(ctx, { projectId, request: { algorithm: "ridge" } }),
  ImportModel: importing,
  CreateCheckpoint: () => createCheckpoint(ctx, { projectId }),
  CreateScenario: () => scenarioOf({ fileData: base64(inputCsv) }),
  DeleteScenario: () => deleteScenario(ctx, { projectId, scenarioId: own.scenarioId }),
  DeleteCheckpoint: async () =>
    deleteCheckpoint(ctx, { projectId, checkpointId: await createReadyCheckpoint(projectId) }),
  DeleteProject: async () => deleteProject(ctx, await createPopulatedProject({ name: "Other" })),
};
const types = Object.keys(starts) as JobType[];

async function fail(jobId: string): Promise<void> {
  const job = (await beginAttempt(db, jobId))!;
  const abandon = await abandonOf(job.type);
  await db.transaction((tx) => endJob(tx, job, { code: "internal_error", message: "Lost" }, abandon));
}
const cancel = (jobId: string) => cancelJob(ctx, { jobId }, abandonOf);
const retry = (jobId: string) => retryJob(ctx, { jobId }, retryOf);

describe("a retry is a new job with retryOf", () => {
  const cases = types.flatMap((type) => [
    { type, end: fail, status: "Failed" },
    ...(catalogue[type].cancellable ? [{ type, end: cancel, status: "Cancelled" }] : []),
  ]);
  it.each(cases)(
    "of a $type that is $status; of two concurrent retries, one succeeds",
    async ({ type, end, status }) => {
      const { jobId } = await starts[type]();
      await end(jobId);
      const before = await findJob(ctx, jobId);
      expect(before).toMatchObject({ type, status });
      const results = await Promise.allSettled([retry(jobId), retry(jobId)]);
      const [made] = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      const [rejected] = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
      expect(rejected).toMatchObject({ code: "job_not_retryable" });
      expect(await findJob(ctx, made!.jobId)).toMatchObject({
        type,
        status: "Pending",
        retryOf: jobId,
        attempt: 0,
      });
      expect(await findJob(ctx, jobId)).toEqual(before);
    },
  );

  it.each<[JobType, () => Promise<{ jobId: string }>]>([
    ["ImportModel", importing],
    ["CreateScenario", async () => scenarioOf({ uploadId: await upload(Buffer.from(inputCsv), true) })],
  ])("rejects a %s whose file is no longer stored, with the remedy", async (_, start) => {
    const { jobId } = await start();
    await cancel(jobId);
    const { uploadId } = (await findJob(ctx, jobId)).payload as { uploadId: string };
    await db.delete(uploads).where(eq(uploads.id, uploadId));
    await expect(retry(jobId)).rejects.toMatchObject({
      code: "job_not_retryable",
      message: expect.stringContaining("Send it again"),
      details: [{ id: uploadId }],
    });
  });
});
