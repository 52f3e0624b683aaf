import { readdirSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { beforeAll, expect, test } from "vitest";
import { uploads } from "#db/schema/datasets";
import { environment } from "#lib/config/environment";
import { ImportModel } from "#lib/contract/models";
import { newId } from "#lib/ids/new-id";
import { cancelJob } from "#lib/jobs/cancel-job";
import { requestImport } from "#lib/models/request-import";
import { store } from "#lib/storage/store";
import { createProject, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { createUpload, uploadsFolder } from "./create-upload.ts";
import { deleteUnusedUploads } from "./delete-unused-uploads.ts";

const { db } = await createTestDatabase();
let projectId: string;
beforeAll(async () => {
  projectId = (await createProject()).id;
});

const inADay = () => Date.now() + 25 * 3_600_000;
const csv = () => Readable.from([Buffer.from("x,y\n1,2\n")]);
const upload = async (content: AsyncIterable<Uint8Array> = csv()) =>
  (await createUpload(testContext(), { projectId, content, isCsv: true })).uploadId;

const kept = async () =>
  (await store().listFolders(uploadsFolder(projectId))).map((key) => key.slice(key.lastIndexOf("/") + 1));

test("an upload that a job is still to read is kept until the job has ended", async () => {
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
  await deleteUnusedUploads(db, inADay());
  const left = await kept();
  expect(left).toHaveLength(2);
  expect(left).toContain(read);
  await cancelJob(testContext(), { jobId }, async () => undefined);
  await deleteUnusedUploads(db, inADay());
  expect(await kept()).toEqual([]);
  expect(await db.select().from(uploads)).toEqual([]);
});

test("files that a crash kept from being recorded go after a day, those of an upload under way stay", async () => {
  const key = `${uploadsFolder(projectId)}/${newId()}`;
  await store().writeStream(key, csv(), { limitBytes: 100 });
  expect(await deleteUnusedUploads(db)).toBe(0);
  expect(await store().exists(key)).toBe(true);
  expect(await deleteUnusedUploads(db, inADay())).toBe(1);
  expect(await store().exists(key)).toBe(false);
});

test("while it streams in, an upload is in one temporary folder, which goes when it is cut off", async () => {
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
