import { and, desc, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { auditLog } from "#db/schema/access";
import type { Dataset } from "#lib/contract/datasets";
import { callRoute, createKey, createProject } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import { createTestDatabase } from "#testing/postgres";
import { GET, PATCH, PUT } from "../../../app/api/v1/projects/[projectId]/dataset/route.ts";
import { POST } from "../../../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { currentDataset, readDatasetTable } from "./current-dataset.ts";

const { db } = await createTestDatabase();

const { id: projectId } = await createProject();
const key = await createKey({ projectId });

const csv = "day,note,temp,hum,demand\n2024-01-02,x,2,5,20\n2024-01-01,1,1,6,10\n2024-01-03,2,3,,30\n";

const put = () =>
  callRoute<Dataset>(PUT, {
    method: "PUT",
    params: { projectId },
    as: key,
    body: {
      fileData: Buffer.from(csv).toString("base64"),
      fileName: "demand.csv",
      target: "demand",
      timestamp: "day",
      exclude: ["note"],
    },
  });

const patch = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  callRoute<Dataset>(PATCH, { method: "PATCH", params: { projectId }, as: key, body, headers });

const rolesOf = ({ columns }: Dataset) => Object.fromEntries(columns.map(({ name, role }) => [name, role]));

it("returns 404 dataset_not_found without a dataset", async () => {
  const answer = await patch({ exclude: [] });
  expect([answer.status, answer.error?.code]).toEqual([404, "dataset_not_found"]);
});

it("excludes and uses columns again without a file, and keeps everything else", async () => {
  const before = (await put()).data;
  const without = await patch({ exclude: ["note", "hum"] });
  expect(without.status).toBe(200);
  expect(rolesOf(without.data)).toMatchObject({ hum: "excluded", temp: "input" });
  const table = await readDatasetTable((await currentDataset(db, projectId))!);
  expect(table.columns.map(({ name }) => name)).not.toContain("hum");
  const again = await patch({ exclude: ["note"] });
  const { id: _, createdAt: __, ...stays } = before;
  expect(again.data).toMatchObject(stays);
  expect((await callRoute<Dataset>(GET, { params: { projectId }, as: key })).data).toEqual(again.data);
  expect(await keptFolders(`projects/${projectId}/datasets`)).toHaveLength(1);
});

it("accepts the reading that is stored, and changes nothing else", async () => {
  const before = (await put()).data;
  const same = {
    timestamp: "day",
    timestampFormat: "iso",
    columnFormats: {},
    headerRow: 1,
    encoding: "UTF8",
    sheet: null,
  };
  const { data, status } = await patch(same);
  expect(status).toBe(200);
  const { id: _, createdAt: __, ...stays } = before;
  expect(data).toMatchObject(stays);
  const wide = { kind: "wide", times: ["2024-01", "2024-02"] };
  await callRoute(PUT, {
    method: "PUT",
    params: { projectId },
    as: key,
    body: {
      fileData: Buffer.from("shop,2024-01,2024-02\na,1,2\nb,3,4\n").toString("base64"),
      target: "sold",
      timestamp: ["month"],
      series: ["shop"],
      shape: { ...wide, valueName: "sold" },
    },
  });
  expect(
    (await patch({ timestamp: ["month"], shape: { ...wide, valueName: "sold" } })).error,
  ).toBeUndefined();
  expect((await patch({ shape: wide })).error!.details).toMatchObject([{ field: "shape" }]);
});

it("rejects every reading option that differs from the stored one, and says that the file is needed", async () => {
  const before = (await put()).data;
  const other = {
    timestamp: ["day", "temp"],
    timestampFormat: "day-month-year",
    columnFormats: { temp: "decimal-comma" },
    headerRow: 2,
    encoding: "windows-1250",
    sheet: "Data",
    shape: { kind: "wide", times: ["2024-01"], valueName: "sold" },
  };
  const { error, status } = await patch({ exclude: ["note", "hum"], ...other });
  expect([status, error!.code]).toEqual([400, "input_invalid"]);
  expect(error!.details!.map(({ field }) => field)).toEqual(Object.keys(other));
  for (const { message } of error!.details!) expect(message).toContain("Send the file again with PUT");
  expect((await callRoute(GET, { params: { projectId }, as: key })).data).toEqual(before);
});

it.each(["skipRows", "timezone"])(
  "says that %s needs the file again, which the service does not keep",
  async (option) => {
    const { error } = await patch({ [option]: null, exclude: [] });
    expect(error).toMatchObject({ code: "validation_failed", details: [{ field: option }] });
    expect(error!.message).toContain(`${option}: Send the file again with PUT`);
    const other = await patch({ [option]: null, colour: "red" });
    expect(other.error!.message).toContain(`${option} is not a field of this request`);
  },
);

it("changes the target; the previous one becomes an input", async () => {
  await put();
  const { data } = await patch({ target: "temp" });
  expect(data.target).toBe("temp");
  expect(rolesOf(data)).toMatchObject({ temp: "target", demand: "input", hum: "input" });
});

it("keeps warnings of the file, and updates those of the columns", async () => {
  const { data } = await put();
  expect(data.warnings.map(({ code }) => code)).toEqual(["excluded_column_unread", "rows_sorted"]);
  const changed = await patch({ target: "hum" });
  expect(changed.data.warnings.map(({ code, column }) => [code, column])).toEqual([
    ["excluded_column_unread", "note"],
    ["rows_sorted", "day"],
    ["target_missing", "hum"],
  ]);
});

it("rejects unknown, contradictory and unread columns, and an empty change, and changes nothing", async () => {
  const before = (await put()).data;
  const unknown = await patch({ exclude: ["note", "humm"], confirmed: ["tmp"] });
  expect(unknown.error).toMatchObject({
    code: "validation_failed",
    details: [
      { field: "exclude", column: "humm", nearest: "hum" },
      { field: "confirmed", column: "tmp", nearest: "temp" },
    ],
  });
  const target = await patch({ exclude: ["note", "demand"] });
  expect(target.error?.details).toMatchObject([{ field: "exclude", code: "contradiction" }]);
  const unread = await patch({ exclude: [] });
  expect(unread.error?.details).toMatchObject([
    { field: "exclude", column: "note", code: "column_not_stored" },
  ]);
  const text = await patch({ target: "day" });
  expect(text.error?.code).toBe("validation_failed");
  expect((await patch({})).error?.code).toBe("validation_failed");
  expect((await patch({ fileData: "" })).error?.code).toBe("validation_failed");
  expect((await callRoute(GET, { params: { projectId }, as: key })).data).toEqual(before);
});

it("rejects a column that is not stored after rows were appended too", async () => {
  await put();
  for (const rows of [
    "day,temp,hum,demand\n2024-01-04,4,8,40\n",
    "day,note,temp,hum,demand\n2024-01-05,z,4,8,40\n",
  ]) {
    const body = { fileData: Buffer.from(rows).toString("base64") };
    const appended = await callRoute<Dataset>(POST, { method: "POST", params: { projectId }, as: key, body });
    expect(appended.data.warnings).toContainEqual(
      expect.objectContaining({ code: "excluded_column_unread", column: "note" }),
    );
    const { error } = await patch({ exclude: [] });
    expect(error?.details).toMatchObject([{ field: "exclude", column: "note", code: "column_not_stored" }]);
  }
});

it("honours If-Match, and returns the ETag of the new version", async () => {
  const put1 = await put();
  const tag = put1.headers.get("etag")!;
  const changed = await patch({ exclude: ["note", "hum"] }, { "if-match": tag });
  expect(changed.status).toBe(200);
  expect(changed.headers.get("etag")).not.toBe(tag);
  const stale = await patch({ exclude: ["note"] }, { "if-match": tag });
  expect([stale.status, stale.error?.code]).toEqual([412, "precondition_failed"]);
});

it("makes both of two simultaneous changes to different settings", async () => {
  await put();
  await Promise.all([patch({ exclude: ["note", "hum"] }), patch({ confirmed: ["temp"] })]);
  const { data } = await callRoute<Dataset>(GET, { params: { projectId }, as: key });
  expect([rolesOf(data).hum, data.confirmed]).toEqual(["excluded", ["temp"]]);
});

it("records the change in the audit log", async () => {
  await put();
  const { data } = await patch({ exclude: ["note"] });
  const [entry] = await db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.projectId, projectId), eq(auditLog.entityId, data.id)))
    .orderBy(desc(auditLog.at));
  expect(entry).toMatchObject({ action: "dataset.updated", entityType: "dataset", label: "demand.csv" });
});
