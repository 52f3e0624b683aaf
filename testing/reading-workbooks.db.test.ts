import { expect, it } from "vitest";
import type { Dataset } from "#lib/contract/datasets";
import { limits } from "#lib/contract/limits";
import { WORKBOOK_TYPE } from "#lib/contract/reading";
import { currentDataset, readDatasetTable } from "#lib/domain/datasets/current-dataset";
import { POST as appendRoute } from "../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { POST as uploadRoute } from "../app/api/v1/projects/[projectId]/uploads/route.ts";
import { callRoute, createKey, createProject } from "./api.ts";
import { valuesOf } from "./csv-case-rows.ts";
import { inRequest, predict, putDataset, runScenario, uploaded, validate } from "./csv-entry-points.ts";
import { createTestDatabase } from "./postgres.ts";
import { createTrainedProject } from "./scenario-factory.ts";
import { type Cell, styled, workbook } from "./workbooks.ts";

const { db } = await createTestDatabase();
const { id: projectId } = await createProject();
const project = { projectId, as: await createKey({ projectId }) };
/** Days of 2024 as Excel counts them. */
const day = (at: number) => styled(45_292 + at, 1);
const rows = (count: number, from = 0): Cell[][] =>
  Array.from({ length: count }, (_, at) => [day(from + at), `shop ${(from + at) % 3}`, from + at]);
const header = ["day", "shop", "sold"];
const file = (cells: Cell[][], name = "2024") =>
  workbook({ sheets: { [name]: cells, Notes: [["a"], ["b"]] }, formats: ["dd.mm.yyyy"] });
const upload = async (bytes: Uint8Array, contentType = WORKBOOK_TYPE) => {
  const { data, error, status } = await callRoute<{ uploadId: string }>(uploadRoute, {
    params: { projectId },
    as: project.as,
    body: bytes,
    headers: { "content-type": contentType },
  });
  return { source: { uploadId: data?.uploadId }, error, status };
};
const append = (bytes: Uint8Array) =>
  callRoute<Dataset>(appendRoute, { params: { projectId }, as: project.as, body: inRequest(bytes) });

it("reads workbooks as datasets, in the request and as uploads, and as appended rows", async () => {
  const bytes = file([header, ...rows(30)]);
  const uploads = [(await upload(bytes)).source, (await upload(bytes, "text/csv")).source];
  for (const source of [inRequest(bytes), ...uploads]) {
    const { data } = await putDataset(project, { ...source, target: "sold", timestamp: "day" });
    expect(data).toMatchObject({
      rowCount: 30,
      frequency: "P1D",
      firstTimestamp: "2024-01-01T00:00:00.000Z",
      reading: { sheet: "2024", timestampFormat: "iso" },
    });
    expect(data.warnings).toMatchObject([
      { code: "other_sheets", choices: [{ options: { sheet: "Notes" } }] },
    ]);
  }
  const ofOtherSheet = await append(file([header, ...rows(2, 30)], "2025"));
  expect(ofOtherSheet.error!.details).toMatchObject([{ code: "unknown_sheet" }]);
  expect(ofOtherSheet.error!.message).toContain(
    'no sheet "2024". Did you mean "2025"? It has "2025", "Notes".',
  );
  expect((await append(file([header, ...rows(2, 30)]))).error).toBeUndefined();
  expect(
    (await append(new TextEncoder().encode("day;shop;sold\n02.02.2024;shop 1;32"))).error,
  ).toBeUndefined();
  const table = await readDatasetTable((await currentDataset(db, projectId))!);
  expect(valuesOf(table, "sold")).toEqual([...Array(33).keys()]);
  const { error } = await append(file([header, [day(40), "shop 1", "many"]]));
  expect(error!.details).toMatchObject([{ row: 1, column: "sold", value: "many" }]);
  expect(error!.details![0]!.message).toMatch(/\(sheet "2024", cell C2\)\.$/);
});

it("reads the sheet that is asked for, and names the sheets otherwise", async () => {
  const bytes = workbook({
    sheets: {
      Empty: [],
      Data: [
        ["x", "y"],
        [1, 2],
        [2, 3],
      ],
    },
  });
  for (const source of [inRequest(bytes), (await upload(bytes)).source]) {
    const empty = await putDataset(project, { ...source, target: "y" });
    expect(empty.error!.details).toMatchObject([{ code: "empty_file" }]);
    const { data } = await putDataset(project, { ...source, target: "y", sheet: "Data" });
    expect(data).toMatchObject({ rowCount: 2, reading: { sheet: "Data" } });
    const unknown = await putDataset(project, { ...source, target: "y", sheet: "data" });
    expect(unknown.error!.details).toMatchObject([
      { code: "unknown_sheet", choices: [{}, { options: { sheet: "Data" } }] },
    ]);
  }
});

it("reads scenarios from workbooks, and checks them first", async () => {
  const csv = [
    "day,shop,sold",
    ...rows(80).map(
      (_, at) => `${new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10)},shop ${at % 3},${at % 3}`,
    ),
  ].join("\n");
  const model = await createTrainedProject({
    csv,
    target: "sold",
    timestamp: "day",
    request: { algorithm: "ridge" },
  });
  const input = inRequest(
    file([
      ["day", "shop"],
      [day(80), "shop 2"],
      [day(81), "shop 0"],
    ]),
  );
  expect((await validate(model, input)).data).toMatchObject({ valid: true, rowCount: 2 });
  const { predictions } = await runScenario(model, input);
  const given = await predict(model, { day: ["2024-03-21", "2024-03-22"], shop: ["shop 2", "shop 0"] });
  expect(predictions).toEqual(given.data.predictions);
});

it("reads scenarios from the sheet of the dataset, in the request and as uploads", async () => {
  const data = [["x", "y"], ...Array.from({ length: 40 }, (_, at) => [at, at * 2])];
  const model = await createTrainedProject({
    csv: workbook({ sheets: { Notes: [["a"]], Data: data } }),
    target: "y",
    sheet: "Data",
    request: { algorithm: "ridge" },
  });
  for (const [name, isKnown] of [
    ["Data", true],
    ["data", false],
  ] as const) {
    const input = { [name]: [["x"], [3]] };
    for (const sheets of [input, { Notes: [["a"]], ...input }]) {
      const bytes = workbook({ sheets });
      for (const source of [inRequest(bytes), await uploaded(model, bytes)]) {
        const { data: verdict } = await validate(model, source);
        expect(verdict).toMatchObject(
          isKnown || sheets === input
            ? { valid: true, rowCount: 1 }
            : { valid: false, faults: [{ code: "unknown_sheet" }] },
        );
      }
    }
  }
});

it("rejects workbooks that are too large, and archives that are none", async () => {
  const { status } = await upload(new Uint8Array(limits.workbookBytes + 1));
  expect(status).toBe(413);
  const cut = file([header, ...rows(30)]).subarray(0, 900);
  for (const source of [inRequest(cut), (await upload(cut)).source]) {
    const { error } = await putDataset(project, { ...source, target: "y" });
    expect(error!.details).toMatchObject([{ code: "broken_workbook" }]);
  }
});
