import { readdirSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { uploads } from "#db/schema/datasets";
import { ImportModel } from "#lib/contract/import-model";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { requestImport } from "#lib/domain/models/request-import";
import { environment } from "#lib/platform/config/environment";
import { createProject, testContext } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import { createTestDatabase } from "#testing/postgres";
import { createUpload } from "./create-upload.ts";
import { deleteUnusedUploads } from "./delete-unused-uploads.ts";

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
