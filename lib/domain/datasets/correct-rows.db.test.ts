import { expect, it } from "vitest";
import type { DatasetChanges, DatasetRows } from "#lib/contract/dataset-versions";
import type { Dataset } from "#lib/contract/datasets";
import { callRoute, createKey, createProject, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { base64 } from "#testing/scenario-factory";
import { waitForLock } from "#testing/wait-for-lock";
import { GET, PATCH } from "../../../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { GET as changesRoute } from "../../../app/api/v1/projects/[projectId]/dataset/versions/[versionId]/changes/route.ts";
import { appendRows } from "./append-rows.ts";
import { putDataset } from "./put-dataset.ts";

const { sql } = await createTestDatabase();
const ctx = testContext();

/** Decimal commas, dates with the day first, and a category. */
const csv =
  "tag;ort;temp;demand\n1.2.2024;Nord;1,5;10,5\n2.2.2024;Süd;2,5;20\n13.2.2024;Nord;3;1.234,5\n14.2.2024;;4;40\n";

const germanSettings = {
  timestamp: "tag",
  numberFormats: [{ column: "demand", decimalMark: ",", groupMark: "." }],
};

async function newDataset(text = csv, settings: object = germanSettings) {
  const { id: projectId } = await createProject();
  const as = await createKey({ projectId });
  await putDataset(ctx, { projectId, fileData: base64(text), target: "demand", ...settings });
  return {
    projectId,
    correct: (body: object, headers: Record<string, string> = {}) =>
      callRoute<Dataset>(PATCH, { method: "PATCH", params: { projectId }, as, body, headers }),
    rows: async (query: Record<string, string> = {}) =>
      (await callRoute<DatasetRows>(GET, { params: { projectId }, query, as })).data,
    changes: async (versionId: string) =>
      (await callRoute<DatasetChanges>(changesRoute, { params: { projectId, versionId }, as })).data,
  };
}

it("shows rows with their numbers, across appended parts", async () => {
  const { projectId, rows } = await newDataset();
  await appendRows(ctx, { projectId, fileData: base64("tag;ort;temp;demand\n15.2.2024;Nord;5;50\n") });
  const page = await rows({ offset: "3", limit: "2" });
  expect(page.rowCount).toBe(5);
  expect(page.rows).toEqual([
    {
      row: 4,
      timestamp: "2024-02-14T00:00:00.000Z",
      values: { tag: "2024-02-14T00:00:00.000Z", ort: null, temp: 4, demand: 40 },
    },
    {
      row: 5,
      timestamp: "2024-02-15T00:00:00.000Z",
      values: { tag: "2024-02-15T00:00:00.000Z", ort: "Nord", temp: 5, demand: 50 },
    },
  ]);
  expect((await rows({ offset: "9" })).rows).toEqual([]);
});

it("corrects numbers as they are and texts as the file was read, and deletes rows", async () => {
  const { projectId, correct, rows, changes } = await newDataset();
  const set = [
    { row: 1, values: { demand: 11.25, temp: "2,75", ort: "West" } },
    { row: 3, values: { demand: "1.300,5", temp: null } },
    { row: 4, values: { tag: "2024-02-20T00:00:00.000Z" } },
  ];
  const answer = await correct({ set, delete: [2] });
  expect(answer.status, answer.text).toBe(200);
  expect((await rows()).rows.map(({ values }) => Object.values(values))).toEqual([
    ["2024-02-01T00:00:00.000Z", "West", 2.75, 11.25],
    ["2024-02-13T00:00:00.000Z", "Nord", null, 1300.5],
    ["2024-02-20T00:00:00.000Z", null, 4, 40],
  ]);
  expect((await changes(answer.data.id)).rowCount).toMatchObject({ changed: 2, removed: 2, added: 1 });
  const [entry] =
    await sql`select action, changes from audit_log where project_id = ${projectId} order by created_at desc, id desc limit 1`;
  expect(entry!.action).toBe("dataset.corrected");
  expect(entry!.changes).toContainEqual({
    field: "row 1: demand",
    from: 10.5,
    to: 11.25,
  });
  expect(entry!.changes).toContainEqual({
    field: "row 2: demand",
    from: 20,
    to: "deleted",
  });
});

it("rejects every wrong value with its row and column, and changes nothing", async () => {
  const { correct, rows } = await newDataset();
  const before = await rows();
  const { status, error } = await correct({
    set: [
      { row: 3, values: { demand: "viel", dmand: 3 } },
      { row: 9, values: { temp: 3 } },
      { row: 2, values: { tag: null } },
    ],
    delete: [2],
  });
  expect([status, error?.code]).toEqual([400, "input_invalid"]);
  const places = error!.details!.map(({ code, row, column }) =>
    `${code} ${row ?? ""} ${column ?? ""}`.trim(),
  );
  expect(places.sort()).toEqual([
    "missing_value 2 tag",
    "not_a_number 3 demand",
    "repeated_row 2",
    "unknown_column  dmand",
    "unknown_row 9",
  ]);
  expect(error!.details!.find(({ code }) => code === "not_a_number")!.message).toContain("Row 3,");
  expect((await correct({ set: [{ row: 2, values: { tag: "1.2.2024" } }] })).error?.code).toBe(
    "input_invalid",
  );
  expect((await correct({ delete: [1, 2, 3, 4] })).error?.code).toBe("input_invalid");
  expect((await correct({})).error?.code).toBe("validation_failed");
  expect(await rows()).toEqual(before);
});

it.each([
  "2024-02-30T00:00:00Z",
  "0999-12-31T00:00:00Z",
  "2024-02-20T25:00:00Z",
  "2024-02-20T10:00:00+25:00",
])("rejects %s, which no appended row may have either", async (tag) => {
  const { correct } = await newDataset();
  const { error } = await correct({ set: [{ row: 4, values: { tag } }] });
  expect(error).toMatchObject({
    code: "input_invalid",
    details: [{ field: "set", row: 4, column: "tag", code: "invalid_date", value: tag }],
  });
});

it("takes times with any zone in a column without zones", async () => {
  const { correct, rows } = await newDataset();
  await correct({ set: [{ row: 4, values: { tag: "2024-02-20T02:00+02:00" } }] });
  expect((await rows()).rows[3]!.timestamp).toBe("2024-02-20T00:00:00.000Z");
});

it("honours If-Match", async () => {
  const { correct } = await newDataset();
  expect((await correct({ delete: [1] }, { "if-match": '"other"' })).status).toBe(412);
});

it("corrects no rows of another version than the one that the numbers are of", async () => {
  const { projectId, correct, rows } = await newDataset();
  const { versionId } = await rows();
  await appendRows(ctx, { projectId, fileData: base64("tag;ort;temp;demand\n15.2.2024;Nord;5;50\n") });
  const before = await rows();
  const { status, error } = await correct({ versionId, delete: [3] });
  expect([status, error?.code]).toEqual([412, "precondition_failed"]);
  expect(error!.message).toContain("Read the rows again");
  expect(await rows()).toEqual(before);
  expect((await correct({ versionId: before.versionId, delete: [3] })).status).toBe(200);
  expect((await correct({ versionId: null, delete: [1] })).status).toBe(200);
});

it("corrects nothing if another change moves the rows during the request", async () => {
  const { projectId, correct, rows } = await newDataset();
  let answer: ReturnType<typeof correct> | undefined;
  await sql.begin(async (tx) => {
    await tx`select from projects where id = ${projectId} for no key update`;
    answer = correct({ delete: [1] });
    await waitForLock(sql);
    await tx`insert into datasets select (jsonb_populate_record(d,
      jsonb_build_object('id', gen_random_uuid(), 'version', d.version + 1))).* from datasets d
      where project_id = ${projectId}`;
  });
  const { status, error } = await answer!;
  expect([status, error?.code]).toEqual([412, "precondition_failed"]);
  expect((await rows()).rowCount).toBe(4);
});

it("corrects rows without times, and not the parts of a joined time", async () => {
  const { correct, rows } = await newDataset("x,demand\n1,2\n1,2\n3,4\n", {});
  expect((await correct({ delete: [2], set: [{ row: 3, values: { x: "7" } }] })).status).toBe(200);
  expect((await rows()).rows.map(({ values }) => values)).toEqual([
    { x: 1, demand: 2 },
    { x: 7, demand: 4 },
  ]);
  const joined = await newDataset("d,h,demand\n2024-01-01,0,1\n2024-01-01,1,2\n", { timestamp: ["d", "h"] });
  const { error } = await joined.correct({ set: [{ row: 1, values: { h: 5 } }] });
  expect(error?.details?.[0]).toMatchObject({ code: "joined_time", column: "h" });
  expect((await joined.correct({ set: [{ row: 1, values: { demand: 5 } }] })).status).toBe(200);
});
