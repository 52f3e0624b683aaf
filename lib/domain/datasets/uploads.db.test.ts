import { readdirSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { uploads } from "#db/schema/datasets";
import { ImportModel } from "#lib/contract/import-model";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { requestImport } from "#lib/domain/models/request-import";
import { CsvReader } from "#lib/engine/csv/csv-reader";
import { environment } from "#lib/platform/config/environment";
import { createProject, testContext } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import { createTestDatabase } from "#testing/postgres";
import { createUpload } from "./create-upload.ts";
import { deleteUnusedUploads } from "./delete-unused-uploads.ts";
import { deleteUpload } from "./delete-upload.ts";
import { listUploads } from "./list-uploads.ts";

const { db } = await createTestDatabase();
const { id: projectId } = await createProject();

const csv = () => Readable.from([Buffer.from("x,y\n1,2\n")]);
const upload = async (content: AsyncIterable<Uint8Array> = csv()) =>
  (await createUpload(testContext(), { projectId, content, isCsv: true })).uploadId;

const kept = async () =>
  (await keptFolders(`projects/${projectId}/uploads`)).map((key) => key.slice(key.lastIndexOf("/") + 1));

test("keeps an upload until the job that reads it has ended", async () => {
  const [read] = [await upload(), await upload()];
  const labelledRows = Buffer.from("x,y\n1,2\n").toString("base64");
  const request = {
    modelName: "m",
    target: "y",
    targetMetric: "rmse",
    uploadId: read.toUpperCase(),
    labelledRows,
  };
  const { jobId } = await requestImport(testContext(), { projectId, request: ImportModel.parse(request) });
  await db.update(uploads).set({ createdAt: sql`now() - interval '25 hours'` });
  await deleteUnusedUploads(db);
  const left = await kept();
  expect(left).toHaveLength(2);
  expect(left).toContain(read);
  await cancelJob(testContext(), { jobId }, async () => undefined);
  await deleteUnusedUploads(db);
  expect(await kept()).toEqual([]);
  expect(await db.select().from(uploads)).toEqual([]);
});

test("deletes a stored file if its request is rejected afterwards", async () => {
  const gone = await createProject({ deletedAt: new Date() });
  const request = { modelName: "m", target: "y", targetMetric: "rmse", fileData: "bW9kZWw=" };
  const ask = requestImport(testContext(), { projectId: gone.id, request: ImportModel.parse(request) });
  await expect(ask).rejects.toMatchObject({ code: "project_not_found" });
  expect(await db.$count(uploads, eq(uploads.projectId, gone.id))).toBe(0);
  expect(await keptFolders(`projects/${gone.id}`)).toEqual([]);
});

test("streams an upload into one temporary folder, and removes the folder if the stream is cut off", async () => {
  const temporary = () => readdirSync(path.join(environment().dataDir, "artifacts", ".tmp"));
  const content = async function* () {
    yield Buffer.from("x,y\n1,2\n");
    expect(temporary()).toHaveLength(1);
    throw new Error("hung up");
  };
  await expect(upload(content())).rejects.toThrow("hung up");
  expect(temporary()).toEqual([]);
  expect(await kept()).toEqual([]);
});

const importing = (uploadId: string) =>
  requestImport(testContext(), {
    projectId,
    request: ImportModel.parse({ modelName: "m", target: "y", targetMetric: "rmse", uploadId }),
  });

test("lists uploads until a request uses them, newest first", async () => {
  const { items: before } = await listUploads(testContext(), { projectId });
  const ids = [await upload(), await upload()];
  const listed = async () => (await listUploads(testContext(), { projectId })).items.map(({ id }) => id);
  expect(await listed()).toEqual([...ids.toReversed(), ...before.map(({ id }) => id)]);
  const [first] = (await listUploads(testContext(), { projectId })).items;
  expect(Date.parse(first!.expiresAt) - Date.parse(first!.createdAt)).toBe(24 * 3_600_000);
  const { jobId } = await importing(ids[1]!);
  expect(await listed()).not.toContain(ids[1]);
  await cancelJob(testContext(), { jobId }, async () => undefined);
  for (const uploadId of ids) await deleteUpload(testContext(), { projectId, uploadId });
  expect(await listed()).toEqual(before.map(({ id }) => id));
});

test("an upload that an unfinished job reads cannot be deleted; afterwards its file goes with it", async () => {
  const uploadId = await upload();
  const { jobId } = await importing(uploadId.toUpperCase());
  await expect(deleteUpload(testContext(), { projectId, uploadId })).rejects.toMatchObject({
    code: "validation_failed",
    message: `Job ${jobId} reads this upload. Wait until the job has ended, or cancel it first.`,
  });
  await cancelJob(testContext(), { jobId }, async () => undefined);
  await deleteUpload(testContext(), { projectId, uploadId });
  expect(await kept()).not.toContain(uploadId);
  await expect(deleteUpload(testContext(), { projectId, uploadId })).rejects.toMatchObject({
    code: "upload_not_found",
  });
});

test("a deletion and a use of an upload at the same time: one of them is rejected", async () => {
  for (let round = 0; round < 8; round++) {
    const uploadId = await upload();
    const [used, deleted] = await Promise.allSettled([
      importing(uploadId),
      deleteUpload(testContext(), { projectId, uploadId }),
    ]);
    const codes = [used, deleted].map((one) => (one.status === "rejected" ? one.reason.code : "done"));
    expect([
      ["done", "validation_failed"],
      ["upload_not_found", "done"],
    ]).toContainEqual(codes);
    expect((await kept()).includes(uploadId)).toBe(used.status === "fulfilled");
  }
});

test("reads no part of an upload as CSV in the thread that answers requests", async () => {
  using reading = vi.spyOn(CsvReader.prototype, "push");
  const quotes = Buffer.from(`x\n${'"'.repeat(1_000_000)}`);
  const uploadId = await upload(Readable.from([quotes]));
  const [stored] = await db.select().from(uploads).where(eq(uploads.id, uploadId));
  expect(stored!.profile).toMatchObject({ header: ["x"] });
  expect(reading).not.toHaveBeenCalled();
  await deleteUpload(testContext(), { projectId, uploadId });
});
