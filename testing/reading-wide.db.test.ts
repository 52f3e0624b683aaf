import { expect, it } from "vitest";
import type { ScenarioActuals } from "#lib/contract/actuals";
import type { Dataset } from "#lib/contract/datasets";
import { currentDataset, readDatasetTable } from "#lib/domain/datasets/current-dataset";
import { POST as appendRoute } from "../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { GET as actualsRoute } from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/actuals/route.ts";
import { callRoute, createKey, createProject } from "./api.ts";
import { valuesOf } from "./csv-case-rows.ts";
import { inRequest, predict, putDataset, runScenario, uploaded, validate } from "./csv-entry-points.ts";
import { createTestDatabase } from "./postgres.ts";
import { createTrainedProject } from "./scenario-factory.ts";
import { styled, workbook } from "./workbooks.ts";
import { encode } from "./write-dialect.ts";

const { db } = await createTestDatabase();
const { id: projectId } = await createProject();
const project = { projectId, as: await createKey({ projectId }) };
const values = async (name: string) =>
  valuesOf(await readDatasetTable((await currentDataset(db, projectId))!), name);
const append = (csv: string) =>
  callRoute<Dataset>(appendRoute, {
    params: { projectId },
    as: project.as,
    body: inRequest(encode(csv, "utf-8")),
  });
const months = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => new Date(Date.UTC(2022, from + at)).toISOString().slice(0, 7));
const line = (cells: unknown[]) => cells.join(",");
const bytes = (lines: string[]) => encode(lines.join("\n"), "utf-8");

it("reads a wide table, and later files with other months, as the warning proposes", async () => {
  const file = bytes([line(["city", "unit", ...months(24)]), line(["Bonn", "t", ...months(24).keys()])]);
  const first = months(24)[0]!;
  for (const source of [inRequest(file), await uploaded(project, file)]) {
    const asIs = await putDataset(project, { ...source, target: first });
    const warning = asIs.data.warnings.find(({ code }) => code === "wide_table")!;
    expect(warning.message).toMatch(/^24 columns are times, from "2022-01" to "2023-12"/);
    const unknown = await putDataset(project, { ...source, target: "value" });
    expect(unknown.error!.details).toMatchObject([{ column: "value", choices: warning.choices }]);
    const { data } = await putDataset(project, { ...source, ...warning.choices![0]!.options });
    expect(data).toMatchObject({
      rowCount: 24,
      target: "value",
      timestamp: ["time"],
      frequency: "P1M",
      reading: { shape: { kind: "wide", times: months(24), valueName: "value" }, timestampFormat: "iso" },
    });
    expect(data.warnings.map(({ code }) => code)).not.toContain("wide_table");
  }
  const more = await append([line(["city", "unit", ...months(2, 24)]), "Bonn,t,24,25"].join("\n"));
  expect(more.error).toBeUndefined();
  expect((await append("time,value,unit,city\n2024-03,26,t,Bonn")).error).toBeUndefined();
  expect(await values("value")).toEqual([...Array(27).keys()]);
  const late = await append([line(["city", "unit", ...months(2, 26)]), "Bonn,t,1,2"].join("\n"));
  expect(late.error!.details).toMatchObject([{ row: null, column: "2024-03", code: "timestamps_unsorted" }]);
  const wrong = await append([line(["city", "unit", ...months(2, 27)]), "Bonn,t,1,x"].join("\n"));
  expect(wrong.error!.details).toMatchObject([{ row: 1, column: "2024-05", value: "x" }]);
});

it("names the column of times as the request does, and takes `time` without a name", async () => {
  const file = inRequest(bytes([line(months(4)), line([1, 2, 3, 4])]));
  const shape = { kind: "wide", times: months(4), valueName: "sales" };
  for (const [timestamp, name] of [
    [undefined, "time"],
    ["month", "month"],
  ]) {
    const { data } = await putDataset(project, {
      ...file,
      target: "sales",
      shape,
      ...(timestamp && { timestamp }),
    });
    expect(data).toMatchObject({ rowCount: 4, timestamp: [name] });
  }
});

it("reads years as rows with months as columns", async () => {
  const file = inRequest(
    bytes(["Global means", "Year,Jan,Feb,Mar,J-D", ..."0123456".split("").map((y) => `199${y},1,2,3,2`)]),
  );
  const asIs = await putDataset(project, { ...file, target: "Jan", headerRow: 2 });
  const { options } = asIs.data.warnings.find(({ code }) => code === "wide_table")!.choices![0]!;
  const { data } = await putDataset(project, { ...file, headerRow: 2, ...options });
  expect(data).toMatchObject({
    rowCount: 21,
    timestamp: ["Year", "month"],
    firstTimestamp: "1990-01-01T00:00:00.000Z",
    reading: { timestampFormat: "year+month", headerRow: 2 },
  });
  expect(data.columns.find(({ name }) => name === "J-D")).toMatchObject({ role: "excluded" });
});

it("proposes the series of several rows, and names the rows of the file", async () => {
  const file = inRequest(bytes([line(["region", ...months(3)]), "North,1,2,3", "South,4,5,6"]));
  const shape = { kind: "wide", times: months(3), valueName: "value" };
  const { error } = await putDataset(project, { ...file, target: "value", shape });
  const options = { series: ["region"] };
  expect(error!.details![0]).toMatchObject({
    row: 2,
    column: "2022-01",
    code: "timestamps_duplicate",
    choices: [{ label: "2 series by region", options }],
  });
  expect(error!.message).toContain(
    'The rows are 2 series by region: send {"series":["region"]} with the file.',
  );
  const both = await putDataset(project, { ...file, target: "value", shape, ...options });
  expect(both.data).toMatchObject({ rowCount: 6, series: { count: 2, maxRows: 3 } });
  const one = await putDataset(project, { ...file, target: "value", shape, skipRows: [2] });
  expect(one.data).toMatchObject({ rowCount: 3, series: null });
});

it("rejects several series without names", async () => {
  const file = inRequest(bytes([line(["unit", ...months(3)]), "t,1,2,3", "t,4,5,6"]));
  const shape = { kind: "wide", times: months(3), valueName: "value" };
  const { error } = await putDataset(project, { ...file, target: "value", shape });
  expect(error!.message).toMatch(
    /Each of the 2 rows of the file has these times, and no columns name their series/,
  );
});

/** Number of months of `wideProject`. */
const count = 60;

/** Trains a model on a file with a column for each month. */
const wideProject = () =>
  createTrainedProject({
    csv: [line(["unit", ...months(count)]), line(["t", ...months(count).map((_, at) => at % 12)])].join("\n"),
    target: "value",
    shape: { kind: "wide", times: months(count), valueName: "value" },
    timestamp: "time",
    request: { algorithm: "ridge" },
  });

it("reads scenarios of a model whose file was wide", async () => {
  const model = await wideProject();
  const wide = bytes([line(["unit", ...months(2, count)]), "t,,"]);
  for (const source of [inRequest(wide), await uploaded(model, wide)])
    expect((await validate(model, source)).data).toMatchObject({ valid: true, rowCount: 2 });
  const long = bytes(["time,unit", "2027-01,t"]);
  for (const source of [inRequest(long), await uploaded(model, long)])
    expect((await validate(model, source)).data).toMatchObject({ valid: true, rowCount: 1 });
  expect((await predict(model, { time: ["2027-01"], unit: ["t"] })).error).toBeUndefined();
});

it("runs scenarios from wide workbooks, and takes other months of a wide workbook as their actuals", async () => {
  const model = await wideProject();
  /** Months of a sheet are dates that show a month and a year. */
  const sheet = (cells: (number | null)[]) =>
    workbook({
      sheets: {
        Plan: [
          ["unit", ...cells.map((_, at) => styled(daysOf(count + at), 1))],
          ["t", ...cells],
        ],
      },
      formats: ["mmm yyyy"],
    });
  const input = inRequest(sheet([null, null]));
  expect((await validate(model, input)).data).toMatchObject({ valid: true, rowCount: 2 });
  const { scenarioId, job, predictions } = await runScenario(model, input);
  expect([job.errorMessage, predictions.length]).toEqual([null, 2]);
  const appended = await callRoute<Dataset>(appendRoute, {
    params: { projectId: model.projectId },
    as: model.as,
    body: inRequest(sheet([0, 1])),
  });
  expect(appended.error).toBeUndefined();
  expect(appended.data).toMatchObject({ rowCount: count + 2, lastTimestamp: "2027-02-01T00:00:00.000Z" });
  const { data } = await callRoute<ScenarioActuals>(actualsRoute, {
    params: { projectId: model.projectId, scenarioId },
    as: model.as,
  });
  expect(data.actual).toEqual([0, 1]);
  const wrong = await callRoute<Dataset>(appendRoute, {
    params: { projectId: model.projectId },
    as: model.as,
    body: inRequest(
      workbook({
        sheets: {
          Plan: [
            ["unit", "2027-03", "2027-04"],
            ["t", 1, "x"],
          ],
        },
      }),
    ),
  });
  expect(wrong.error!.details).toMatchObject([{ row: 1, column: "2027-04", value: "x" }]);
  expect(wrong.error!.details![0]!.message).toContain('sheet "Plan", cell C2');
});

const daysOf = (month: number) => Date.UTC(2022, month) / 86_400_000 + 25_569;
