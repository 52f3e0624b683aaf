import { ReadableStream } from "node:stream/web";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { orphanedArtifacts } from "#db/schema/artifacts";
import { uploads } from "#db/schema/datasets";
import { predictionChunks, scenarioRuns } from "#db/schema/scenarios";
import type { ProjectSpace } from "#lib/contract/space";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { requestTraining } from "#lib/domain/models/request-training";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { storedBytes } from "#lib/platform/artifacts/stored-bytes";
import { store } from "#lib/platform/storage/store";
import { callRoute, createKey, createProject, testContext } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import {
  createPopulatedProject,
  createWaitingScenario,
  datasetCsv,
  inputCsv,
} from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type RouteCase, routeCases } from "#testing/route-cases";
import { runJobHere } from "#testing/run-jobs";
import { base64, postScenario } from "#testing/scenario-factory";
import { setEnvironment } from "#testing/set-environment";
import { validCalls } from "#testing/valid-calls";
import { GET as spaceRoute } from "../../../app/api/v1/projects/[projectId]/space/route.ts";
import { POST as uploadRoute } from "../../../app/api/v1/projects/[projectId]/uploads/route.ts";
import { projectSpace } from "./space.ts";

const { db } = await createTestDatabase({ max: 30 });
const unlimited = {
  QUOTA_BYTES: undefined,
  QUOTA_OPEN_UPLOADS: undefined,
  QUOTA_OPEN_UPLOAD_BYTES: undefined,
};
const reset = () => {
  for (const name of Object.keys(unlimited)) Reflect.deleteProperty(process.env, name);
  setEnvironment({});
};
afterEach(reset);

const limit = (variables: Partial<Record<keyof typeof unlimited, number>>) =>
  setEnvironment(Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, `${value}`])));

async function* pieces(sizes: readonly number[], onPiece = async (_sent: number) => {}) {
  let sent = 0;
  for (const size of sizes) {
    yield Buffer.alloc(size, "x");
    sent += size;
    await onPiece(sent);
  }
}

const upload = async (
  projectId: string,
  sizes: readonly number[],
  onPiece?: (sent: number) => Promise<void>,
) => createUpload(testContext(), { projectId, content: pieces(sizes, onPiece), isCsv: false });
const usedBy = async (projectId: string) => (await projectSpace(db, projectId)).bytes;
/** Reservations of folders that are still being written. */
const reservations = () => db.$count(orphanedArtifacts, sql`reserved_bytes > 0 and due_at > now()`);

test("the space of a project is what its rows have in store, and its predictions", async () => {
  const { projectId, as, scenarioId, otherScenarioId } = await createPopulatedProject({
    upstream: [await createPopulatedProject({ name: "Upstream" })],
  });
  const { data } = await callRoute<ProjectSpace>(spaceRoute, { params: { projectId }, as });
  const inStore = await storedBytes(await keptFolders(`projects/${projectId}`));
  const chunks = db.$count(predictionChunks, sql`run_id in (${scenarioId}, ${otherScenarioId})`);
  expect(await chunks).toBeGreaterThan(0);
  const rows = inputCsv.trim().split("\n").length - 1;
  // The job of the checkpoint has not run yet. Its bytes are reserved already.
  const waiting = await db.execute<{ bytes: number }>(
    sql`select sum(artifact_bytes)::float8 as bytes from checkpoints where project_id = ${projectId} and state = 'reserved'`,
  );
  expect(data.bytes).toBe(inStore + 2 * rows * 32 + waiting[0]!.bytes);
  expect(Object.values(data.byKind).reduce((sum, bytes) => sum + bytes, 0)).toBe(data.bytes);
  for (const kind of ["models", "checkpoints", "datasets", "scenarios", "uploads"] as const)
    expect([kind, data.byKind[kind] > 0]).toEqual([kind, true]);
  expect(data.openUploads).toMatchObject({ count: 1, bytes: datasetCsv.length });
  await deleteScenario(testContext(), { projectId, scenarioId });
});

describe("uploads", () => {
  test("one key cannot fill the store: its uploads stop at the quota, and another project's still succeed", async () => {
    const [attacker, bystander] = [await createProject(), await createProject({ name: "Bystander" })];
    const send = async (projectId: string) => {
      const as = await createKey({ projectId });
      const request = new Request(`http://service.test/api/v1/projects/${projectId}/uploads`, {
        method: "POST",
        headers: { ...as.headers, "content-type": "application/octet-stream" },
        body: ReadableStream.from(pieces(Array(8).fill(100_000))),
        duplex: "half",
      } as unknown as RequestInit);
      const response = await uploadRoute(request, { params: Promise.resolve({ projectId }) });
      return { status: response.status, ...(await response.json()) };
    };
    limit({ QUOTA_BYTES: 3_000_000 });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) {
      const { status, error } = await send(attacker.id);
      statuses.push(status);
      if (status === 201) continue;
      expect(error.code).toBe("quota_exceeded");
      expect(error.message).toContain("uses 2.4 MB (uploads 2.4 MB) of 3 MB");
    }
    expect(statuses).toEqual([201, 201, 201, 400, 400, 400]);
    expect(await storedBytes(await keptFolders(`projects/${attacker.id}`))).toBe(2_400_000);
    expect((await send(bystander.id)).status).toBe(201);
  });

  test("an upload stops as soon as it exceeds the quota, and its part is deleted", async () => {
    const { id: projectId } = await createProject();
    limit({ QUOTA_BYTES: 250_000 });
    let sent = 0;
    const endless = upload(projectId, Array(10_000).fill(50_000), async (bytes) => {
      sent = bytes;
    });
    await expect(endless).rejects.toMatchObject({ code: "quota_exceeded" });
    expect(sent).toBe(250_000);
    expect(await keptFolders(`projects/${projectId}`)).toEqual([]);
    expect(await usedBy(projectId)).toBe(0);
    expect(await upload(projectId, [250_000])).toMatchObject({ bytes: 250_000 });
  });

  test("two uploads that arrive together cannot both pass a quota that has space for one", async () => {
    const { id: projectId } = await createProject();
    limit({ QUOTA_BYTES: 1_000_000 });
    const sizes = Array(7).fill(100_000);
    // Both have begun before either goes on.
    const both = Promise.withResolvers<void>();
    let begun = 0;
    const meet = async (sent: number) => {
      if (sent === 100_000 && ++begun === 2) both.resolve();
      await both.promise;
    };
    const results = await Promise.allSettled([1, 2].map(() => upload(projectId, sizes, meet)));
    const stored = results.filter(({ status }) => status === "fulfilled").length;
    expect(stored).toBeLessThan(2);
    expect(await usedBy(projectId)).toBe(700_000 * stored);
  });

  test("any number of concurrent uploads stays below the quota, and leaves no reservation", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 1, maxLength: 6 }), {
          minLength: 2,
          maxLength: 8,
        }),
        fc.integer({ min: 1, max: 3_000_000 }),
        async (files, quota) => {
          const { id: projectId } = await createProject();
          limit({ QUOTA_BYTES: quota });
          const results = await Promise.allSettled(files.map((sizes) => upload(projectId, sizes)));
          for (const result of results)
            if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "quota_exceeded" });
          const stored = results.flatMap((one) => (one.status === "fulfilled" ? one.value.bytes : []));
          const used = stored.reduce((sum, bytes) => sum + bytes, 0);
          expect(used).toBeLessThanOrEqual(quota);
          expect(await usedBy(projectId)).toBe(used);
          expect(await storedBytes(await store().listFolders(`projects/${projectId}/uploads`))).toBe(used);
          expect(await reservations()).toBe(0);
          // The rest can be used to the last byte.
          if (used < quota) await upload(projectId, [quota - used]);
          await expect(upload(projectId, [1])).rejects.toMatchObject({ code: "quota_exceeded" });
        },
      ),
      { numRuns: 15 },
    );
  });

  test("a project has at most so many open uploads, however many arrive at once; used ones do not count", async () => {
    const { id: projectId } = await createProject();
    limit({ QUOTA_OPEN_UPLOADS: 3 });
    const results = await Promise.allSettled(Array.from({ length: 9 }, () => upload(projectId, [10])));
    const stored = results.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    expect(stored.length).toBe(3);
    await expect(upload(projectId, [10])).rejects.toMatchObject({
      code: "quota_exceeded",
      message: expect.stringContaining("3 uploads that no request has used yet"),
    });
    await db.update(uploads).set({ usedAt: sql`now()` }).where(eq(uploads.id, stored[0]!.uploadId));
    await upload(projectId, [10]);
  });

  test("open uploads have at most so many bytes together, even if the project has more space", async () => {
    const { id: projectId } = await createProject();
    limit({ QUOTA_OPEN_UPLOAD_BYTES: 1_000 });
    await upload(projectId, [900]);
    await expect(upload(projectId, [101])).rejects.toMatchObject({
      message: expect.stringContaining("have 900 B, and may have 1 kB together"),
    });
    await upload(projectId, [100]);
  });

  test("an upload counts as used once a dataset is made of it", async () => {
    const { id: projectId } = await createProject();
    const content = (async function* () {
      yield Buffer.from(datasetCsv);
    })();
    const { uploadId } = await createUpload(testContext(), { projectId, content, isCsv: true });
    expect((await projectSpace(db, projectId)).openUploads.count).toBe(1);
    await putDataset(testContext(), { projectId, uploadId, target: "demand" });
    const { openUploads, byKind } = await projectSpace(db, projectId);
    expect([openUploads.count, openUploads.bytes, byKind.uploads]).toEqual([0, 0, datasetCsv.length]);
  });
});

/** Operations that store more. */
const storing = [
  "POST /api/v1/projects/{projectId}/uploads",
  "PUT /api/v1/projects/{projectId}/dataset",
  "POST /api/v1/projects/{projectId}/dataset/rows",
  "POST /api/v1/projects/{projectId}/models/train",
  "POST /api/v1/projects/{projectId}/models/import",
  "POST /api/v1/projects/{projectId}/checkpoints",
  "POST /api/v1/projects/{projectId}/checkpoints/import",
  "POST /api/v1/projects/{projectId}/scenarios",
];

const own = await createPopulatedProject();
const cases = new Map((await routeCases()).map((item): [string, RouteCase] => [item.name, item]));

/** Makes a valid call in the project while it has no space left. */
async function callWhenFull(name: string) {
  const item = cases.get(name)!;
  reset();
  const parts = await validCalls[name]!(own);
  limit({ QUOTA_BYTES: Math.max(1, await usedBy(own.projectId)) });
  return callRoute(item.handler, { ...item.call(parts), as: own.as });
}

describe("a full project", () => {
  test.each(storing)("%s is rejected, and nothing is stored", async (name) => {
    const before = await usedBy(own.projectId);
    const answer = await callWhenFull(name);
    expect([answer.status, answer.error?.code]).toEqual([400, "quota_exceeded"]);
    expect(answer.error?.message).toMatch(
      /^The project uses .+ of .+ Delete .+ or ask the operator to raise QUOTA_BYTES\.$/,
    );
    reset();
    expect(await usedBy(own.projectId)).toBe(before);
  });

  test("predictions, changes of names and deletions still work", async () => {
    for (const name of [
      "POST /api/v1/projects/{projectId}/predict",
      "PATCH /api/v1/projects/{projectId}/scenarios/{scenarioId}",
      "DELETE /api/v1/projects/{projectId}/scenarios/{scenarioId}",
      "DELETE /api/v1/projects/{projectId}/uploads/{uploadId}",
      "DELETE /api/v1/projects/{projectId}/dataset/versions/{versionId}",
    ])
      expect([name, (await callWhenFull(name)).status]).toEqual([name, expect.toBeOneOf([200, 202])]);
  });

  test("a job whose result exceeds the quota fails with its reason, and leaves nothing behind", async () => {
    const { projectId } = own;
    const rows = Array.from({ length: 60 }, (_, row) => `${row % 7},${row % 5},${3 * (row % 7) + (row % 5)}`);
    const fileData = base64(["temp,wind,demand", ...rows].join("\n"));
    await putDataset(testContext(), { projectId, fileData, target: "demand" });
    const { jobId: training } = await requestTraining(testContext(), {
      projectId,
      request: { algorithm: "ridge" },
    });
    const { jobId: scenario } = await createWaitingScenario(own);
    const folders = await keptFolders(`projects/${projectId}`);
    limit({ QUOTA_BYTES: (await usedBy(projectId)) + 50 });
    for (const jobId of [training, scenario]) {
      const job = await runJobHere(jobId);
      expect(job).toMatchObject({ status: "Failed", errorCode: "quota_exceeded" });
      expect(job.errorMessage).toContain("there is not enough space for this");
    }
    expect(await keptFolders(`projects/${projectId}`)).toEqual(folders);
    expect(await reservations()).toBe(0);
  });
});

test("a scenario's input counts as sent while its job waits, and as stored afterwards", async () => {
  const { checkpointId } = own;
  const accepted = await postScenario(own, { checkpointId, fileData: base64(inputCsv) });
  const bytes = async () => {
    const [row] = await db
      .select({ bytes: scenarioRuns.inputBytes, key: scenarioRuns.inputKey })
      .from(scenarioRuns)
      .where(eq(scenarioRuns.id, accepted.data.scenarioId));
    return row!;
  };
  const sent = `projects/${own.projectId}/scenarios/${accepted.data.scenarioId}/sent`;
  expect((await bytes()).bytes).toBe(await storedBytes([sent]));
  await runJobHere(accepted.data.jobId);
  const { bytes: stored, key } = await bytes();
  expect(stored).toBe(await storedBytes([key!]));
});
