import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { uploads } from "#db/schema/datasets";
import type { Dataset } from "#lib/contract/datasets";
import type { TargetSeries } from "#lib/contract/target-series";
import { numericValues } from "#lib/engine/table/columns";
import { callRoute, createKey, createProject, testContext } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import { createTestDatabase } from "#testing/postgres";
import { GET, PUT } from "../../../app/api/v1/projects/[projectId]/dataset/route.ts";
import { POST as appendRoute } from "../../../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { GET as targetRoute } from "../../../app/api/v1/projects/[projectId]/dataset/target/route.ts";
import { POST as uploadRoute } from "../../../app/api/v1/projects/[projectId]/uploads/route.ts";
import { createUpload } from "./create-upload.ts";
import { currentDataset, readDatasetTable } from "./current-dataset.ts";
import { deleteUnusedUploads } from "./delete-unused-uploads.ts";

const { db } = await createTestDatabase();
const base64 = (text: string) => Buffer.from(text).toString("base64");

const { id: projectId } = await createProject();
const key = await createKey({ projectId });

function put(body: Record<string, unknown>, csv?: string) {
  const fileData = csv === undefined ? {} : { fileData: base64(csv) };
  return callRoute<Dataset>(PUT, {
    method: "PUT",
    params: { projectId },
    as: key,
    body: { ...fileData, ...body },
  });
}

const append = (csv: string) =>
  callRoute<Dataset>(appendRoute, { params: { projectId }, as: key, body: { fileData: base64(csv) } });

const bike =
  "dteday,hr,season,temp,casual,cnt\n1/30/2011,0,1,0.2,x1,16\n1/30/2011,1,1,0.3,x2,40\n1/30/2011,2,2,,x3,32\n";
const bikeSettings = {
  target: "cnt",
  timestamp: ["dteday", "hr"],
  exclude: ["casual"],
  categories: ["season"],
};

describe("PUT and GET dataset", () => {
  it("return 404 dataset_not_found before the first dataset", async () => {
    const answer = await callRoute(GET, { params: { projectId }, as: key });
    expect([answer.status, answer.error?.code]).toEqual([404, "dataset_not_found"]);
  });

  it("return columns, roles, ranges, frequency and ends; GET returns the same as PUT", async () => {
    const answer = await put({ ...bikeSettings, fileName: "bike.csv" }, bike);
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({
      fileName: "bike.csv",
      rowCount: 3,
      target: "cnt",
      timestamp: ["dteday", "hr"],
      timezone: "UTC",
      frequency: "PT1H",
      firstTimestamp: "2011-01-30T00:00:00.000Z",
      lastTimestamp: "2011-01-30T02:00:00.000Z",
      createdBy: key.createdBy,
    });
    const columns = answer.data.columns.map(({ name, type, role }) => `${name} ${type} ${role}`);
    expect(columns).toEqual([
      "dteday timestamp timestamp",
      "hr number timestamp",
      "season category input",
      "temp number input",
      "casual category excluded",
      "cnt number target",
    ]);
    expect(answer.data.columns[3]).toMatchObject({ min: 0.2, max: 0.3, mean: 0.25, missing: 1 });
    expect(answer.data.columns[2]!.categories).toEqual(["1", "2"]);
    expect((await callRoute(GET, { params: { projectId }, as: key })).data).toEqual(answer.data);
  });

  it("return the target over time, with gaps, downsampled on request", async () => {
    const daily = Array.from(
      { length: 30 },
      (_, at) => `2026-01-${String(at + 1).padStart(2, "0")},${at === 3 ? "" : at % 7}`,
    );
    await put({ target: "y", timestamp: "t" }, `t,y\n${daily.join("\n")}\n`);
    const series = (query: Record<string, string> = {}) =>
      callRoute<TargetSeries>(targetRoute, { params: { projectId }, as: key, query });
    const { data } = await series();
    expect(data).toMatchObject({ target: "y", rowCount: 30 });
    expect(data.timestamps!.slice(0, 2)).toEqual(["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"]);
    expect(data.values.slice(0, 6)).toEqual([0, 1, 2, null, 4, 5]);
    const few = (await series({ maxPoints: "6" })).data;
    expect(few.values.length).toBeLessThanOrEqual(6);
    expect(Math.max(...few.values.map((value) => value ?? 0))).toBe(6);
    const span = (await series({ from: "2026-01-03", to: "2026-01-05" })).data;
    expect(span).toMatchObject({ rowCount: 30, rows: [3, 4, 5], values: [2, null, 4] });
    expect(span).not.toHaveProperty("buckets");
    // Extends to whole weeks: 29 December to 11 January.
    const weeks = (await series({ from: "2026-01-03", to: "2026-01-05", bucket: "week", aggregate: "sum" }))
      .data;
    expect(weeks.timestamps).toEqual(["2025-12-29T00:00:00.000Z", "2026-01-05T00:00:00.000Z"]);
    expect(weeks).toMatchObject({ rows: [1, 5], values: [3, 21] });
    expect(weeks.buckets).toMatchObject({ unit: "week", aggregate: "sum", complete: [false, true] });
    await put({ target: "y" }, "y\n1\n2\n");
    for (const query of [{ from: "2026-01-03" }, { bucket: "week" }])
      expect(await series(query)).toMatchObject({ status: 400, error: { code: "validation_failed" } });
    expect((await series()).data).toMatchObject({ timestamps: null, rows: [1, 2], values: [1, 2] });
    await put({ ...bikeSettings, fileName: "bike.csv" }, bike);
  });

  it("rejects non-canonical base64 in fileData", async () => {
    const answer = await put({ target: "cnt", fileData: "YQ=" });
    expect(answer.status).toBe(400);
    expect(answer.error).toMatchObject({ code: "validation_failed", details: [{ field: "fileData" }] });
  });

  it("rejects unknown columns with the nearest name, and a bad CSV with all its issues", async () => {
    const unknown = await put({ target: "count", exclude: ["tmp"] }, bike);
    expect(unknown.error?.code).toBe("validation_failed");
    expect(unknown.error?.details?.map(({ field }) => field)).toEqual(["target", "exclude"]);
    expect(unknown.error?.details?.[1]?.message).toContain('"temp"');
    const faulty = await put({ target: "b" }, "a,b\n1,2\n3,NaN\n4\n");
    expect(faulty.status).toBe(400);
    expect(faulty.error?.code).toBe("input_invalid");
    expect(faulty.error?.details).toMatchObject([{ row: 2, column: "b", value: "NaN" }, { row: 3 }]);
  });

  it("rejects a text target, duplicate times, and neither or both of fileData and uploadId", async () => {
    const text = await put({ target: "casual" }, bike);
    expect(text.error).toMatchObject({ code: "input_invalid", details: [{ column: "casual" }] });
    const twice = await put({ target: "y", timestamp: "t" }, "t,y\n2024-01-01,1\n2024-01-01,2\n");
    expect(twice.error).toMatchObject({ code: "input_invalid", details: [{ row: 2, column: "t" }] });
    const days = await put({ ...bikeSettings, timestamp: "dteday" }, bike);
    expect(days.error?.message).toMatch(
      /Is the hour in column "hr"\? Then send \["dteday","hr"\] as timestamp\.$/,
    );
    expect((await put({ target: "cnt" })).error?.code).toBe("validation_failed");
    const both = await put({ target: "cnt", uploadId: projectId }, bike);
    expect(both.error?.code).toBe("validation_failed");
  });

  it("ignores issues in excluded columns", async () => {
    const csv = "note,mark,y\n1,1,1\n2,2,2\n3,3,3\nx,4,4\n";
    const answer = await put({ target: "y", exclude: ["note", "mark"] }, csv);
    expect(answer.status).toBe(200);
    expect(answer.data.warnings).toMatchObject([{ code: "excluded_column_unread", column: "note" }]);
    expect(answer.data.columns).toContainEqual(expect.objectContaining({ name: "mark", max: 4 }));
  });

  it("counts no issues of excluded columns, however many the other columns have", async () => {
    const rows = Array.from({ length: 150 }, (_, row) => `x,${row},${row}`).join("\n");
    const good = Array.from({ length: 200 }, (_, row) => `${row},${row},${row}`).join("\n");
    const late = Array.from({ length: 20 }, (_, row) => `${row},x,${row}`).join("\n");
    const answer = await put({ target: "y", exclude: ["note"] }, `b,note,y\n${good}\n${rows}\n${late}\n`);
    expect(answer.error?.message).toContain("150 issues");
  });

  it("keeps ten versions and removes older ones", async () => {
    for (let i = 0; i < 11; i++) await put({ target: "y" }, `x,y\n1,${i}\n2,3\n`);
    expect(await keptFolders(`projects/${projectId}/datasets`)).toHaveLength(10);
    expect((await currentDataset(db, projectId))?.version).toBeGreaterThan(10);
  });
});

describe("POST dataset/rows", () => {
  it("appends later rows, with the hour in its column or in the timestamp", async () => {
    await put(bikeSettings, bike);
    const first = await append("dteday,hr,season,temp,cnt\n2/3/2011,4,2,0.4,7\n2/3/2011,3,1,0.5,6\n");
    expect(first.status).toBe(200);
    const second = await append("dteday,season,temp,cnt,more\n2011-02-03T05:00:00,3,0.6,8,1\n");
    expect(second.data).toMatchObject({ rowCount: 6, lastTimestamp: "2011-02-03T05:00:00.000Z" });
    expect(second.data.warnings).toContainEqual(
      expect.objectContaining({ code: "unknown_column", column: "more" }),
    );
    const table = await readDatasetTable((await currentDataset(db, projectId))!);
    expect([...numericValues(table, "hr")]).toEqual([0, 1, 2, 3, 4, 5]);
    expect([...numericValues(table, "cnt")]).toEqual([16, 40, 32, 6, 7, 8]);
    expect(table.columns.map(({ name }) => name)).not.toContain("casual");
  });

  it("rejects rows that are not later or far too late, lack a column, or have another type, and changes nothing", async () => {
    const before = (await callRoute(GET, { params: { projectId }, as: key })).data;
    const early = await append("dteday,hr,season,temp,cnt\n1/30/2011,2,1,0.4,7\n");
    expect(early.error).toMatchObject({ code: "input_invalid", details: [{ row: 1, column: "dteday" }] });
    const lacking = await append("dteday,hr,season,cnt\n2/9/2011,2,1,7\n");
    expect(lacking.error?.details).toMatchObject([{ column: "temp", code: "missing_column" }]);
    const wrong = await append("dteday,hr,season,temp,cnt\n2/9/2011,2,1,warm,7\n");
    expect(wrong.error?.details).toMatchObject([{ row: 1, column: "temp", value: "warm" }]);
    const far = await append("dteday,hr,season,temp,cnt\n2/9/2011,2,1,0.4,7\n2/9/9011,2,1,0.4,7\n");
    expect(far.error?.details).toMatchObject([{ row: 2, column: "dteday", code: "timestamp_too_far" }]);
    expect((await callRoute(GET, { params: { projectId }, as: key })).data).toEqual(before);
  });

  it("loses no rows in concurrent requests", async () => {
    await put({ target: "y" }, "x,y\n1,1\n2,2\n");
    const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => append(`x,y\n${i},${i}\n`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await currentDataset(db, projectId))?.rowCount).toBe(8);
  });

  it("returns 404 in a project without a dataset", async () => {
    const other = await createProject();
    const as = await createKey({ projectId: other.id });
    const answer = await callRoute(appendRoute, {
      params: { projectId: other.id },
      as,
      body: { fileData: base64("x,y\n1,2\n") },
    });
    expect([answer.status, answer.error?.code]).toEqual([404, "dataset_not_found"]);
  });
});

describe("POST uploads", () => {
  const upload = (body: Uint8Array | string, type = "text/csv", headers: Record<string, string> = {}) =>
    callRoute<{ uploadId: string; bytes: number }>(uploadRoute, {
      params: { projectId },
      as: key,
      body,
      headers: { "content-type": type, ...headers },
    });

  it("is stored once if sent again with the same Idempotency-Key", async () => {
    const again = { "idempotency-key": "one-upload" };
    const first = await upload(bike, "text/csv", again);
    const second = await upload(bike, "text/csv", again);
    expect(second.data).toEqual(first.data);
    expect((await upload(bike)).data.uploadId).not.toBe(first.data.uploadId);
  });

  it("stores and profiles a valid CSV", async () => {
    const { status, data } = await upload(bike);
    expect([status, data.bytes]).toEqual([201, bike.length]);
    const [row] = (await db.select().from(uploads)).filter(({ id }) => id === data.uploadId);
    expect(row?.profile).toMatchObject({
      lineCount: 3,
      columns: [{ name: "dteday", type: "timestamp" }, {}, {}, {}, {}, {}],
    });
    const dataset = await put({ ...bikeSettings, uploadId: data.uploadId });
    expect([dataset.status, dataset.data.rowCount]).toEqual([200, 3]);
    const unknown = await put({ target: "count", uploadId: data.uploadId });
    expect(unknown.error?.code).toBe("validation_failed");
  });

  it("rejects an upload of another project, another content type and an empty body", async () => {
    const other = await createProject();
    const foreign = await createUpload(testContext(), {
      projectId: other.id,
      content: Readable.from([Buffer.from("x,y\n1,2\n")]),
      isCsv: true,
    });
    const answer = await put({ target: "y", uploadId: foreign.uploadId });
    expect([answer.status, answer.error?.code]).toEqual([404, "upload_not_found"]);
    expect((await upload(bike, "application/json")).status).toBe(415);
    expect((await upload("")).error?.code).toBe("validation_failed");
  });

  it("stores nothing of a file that is too large or truncated", async () => {
    const folders = await keptFolders(`projects/${projectId}/uploads`);
    const request = { projectId, isCsv: false, limitBytes: 1_000_000 };
    const large = createUpload(testContext(), { ...request, content: createReadStream("/dev/zero") });
    await expect(large).rejects.toMatchObject({ code: "payload_too_large" });
    const cutOff = createUpload(testContext(), { ...request, content: brokenStream() });
    await expect(cutOff).rejects.toThrow("hung up");
    expect(await keptFolders(`projects/${projectId}/uploads`)).toEqual(folders);
  });

  it("expires after 24 hours, not before, also while the clock of the process is wrong", async () => {
    const { data } = await upload("x,y\n1,2\n");
    const age = (hours: number) =>
      db.update(uploads).set({ createdAt: sql`now() - ${hours} * interval '1 hour'` });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * 24 * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    await age(23);
    await deleteUnusedUploads(db);
    expect((await put({ target: "y", uploadId: data.uploadId })).status).toBe(200);
    await age(25);
    expect(await deleteUnusedUploads(db)).toBeGreaterThan(0);
    expect((await put({ target: "y", uploadId: data.uploadId })).error?.code).toBe("upload_not_found");
    expect(await keptFolders(`projects/${projectId}/uploads`)).toEqual([]);
  });
});

async function* brokenStream(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("x,y\n");
  throw new Error("The caller hung up.");
}
