import { describe, expect, it } from "vitest";
import type { PutDataset } from "#lib/contract/dataset-requests";
import type { Dataset } from "#lib/contract/datasets";
import type { PredictionRow } from "#lib/contract/scenario-series";
import { readDatasetTable } from "#lib/domain/datasets/current-dataset";
import { numericValues } from "#lib/engine/table/columns";
import { callRoute, createKey, createProject } from "#testing/api";
import { putDataset } from "#testing/csv-entry-points";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, createTrainedProject, type TrainedProject } from "#testing/scenario-factory";
import { POST as appendRoute } from "../../../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { currentDataset } from "./current-dataset.ts";

const { db } = await createTestDatabase();
const { id: projectId } = await createProject();
const project: TrainedProject = { projectId, as: await createKey({ projectId }) };

const put = (lines: readonly string[], options: object) =>
  putDataset(project, {
    fileData: base64(lines.join("\n")),
    target: "load",
    timestamp: "at",
    ...options,
  });
const append = (...lines: string[]) =>
  callRoute<Dataset>(appendRoute, {
    params: { projectId },
    as: project.as,
    body: { fileData: base64(lines.join("\n")) },
  });
const stored = async (name: string) =>
  [...numericValues(await readDatasetTable((await currentDataset(db, projectId))!), name)].map((value) =>
    name === "at" ? new Date(value).toISOString().slice(0, 16) : value,
  );

describe("a dataset with irregular times", () => {
  const lines = [
    "at,temp,load",
    "2024-01-01T09:03,10,1",
    "2024-01-01T09:58,14,3",
    "2024-01-01T11:20,4,8",
    "2024-01-01T11:20,2,5",
  ];
  const resample = { frequency: "PT1H", statistic: "sum" };

  it("is joined into steps, and says so", async () => {
    expect((await put(lines, {})).error?.details).toMatchObject([{ code: "timestamps_duplicate" }]);
    const { data } = await put(lines, { resample });
    expect(data).toMatchObject({ rowCount: 2, frequency: "PT1H", calendar: null, resample });
    expect(data.warnings).toMatchObject([{ code: "gaps", rows: 1 }]);
    expect(await stored("at")).toEqual(["2024-01-01T09:00", "2024-01-01T11:00"]);
    expect(await stored("load")).toEqual([4, 13]);
    expect(await stored("temp")).toEqual([12, 3]);
  });

  it("joins appended rows the same way, from the step after the last one", async () => {
    const early = await append("at,temp,load", "2024-01-01T11:40,1,1", "2024-01-01T12:01,1,1");
    expect(early.error?.details).toMatchObject([
      { row: 1, code: "timestamps_unsorted", expected: "2024-01-01T12:00:00.000Z or later" },
    ]);
    const { data } = await append("at,temp,load", "2024-01-01T12:50,6,1", "2024-01-01T12:10,2,4");
    expect(data).toMatchObject({ rowCount: 3, resample, lastTimestamp: "2024-01-01T12:00:00.000Z" });
    expect(await stored("load")).toEqual([4, 13, 5]);
    expect(await stored("temp")).toEqual([12, 3, 4]);
  });

  it("rejects a frequency that is no duration, and options without times", async () => {
    const wrong = await put(lines, { resample: { frequency: "hourly", statistic: "sum" } });
    expect(wrong.error).toMatchObject({
      code: "validation_failed",
      details: [{ field: "resample.frequency" }],
    });
    const { error } = await put(lines, { timestamp: null, resample, calendar: "business" });
    expect(error?.details?.map(({ field }) => field)).toEqual(["calendar", "resample"]);
  });
});

describe("the calendar of a dataset", () => {
  const day = (index: number) => new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10);
  const rows = (days: readonly number[]) => ["at,load", ...days.map((index) => `${day(index)},${index}`)];
  const weekdays = Array.from({ length: 40 }, (_, index) => index).filter((index) => index % 7 < 5);

  it("is detected, and can be set in both directions", async () => {
    expect((await put(rows(weekdays), {})).data).toMatchObject({
      calendar: "business",
      calendarOption: null,
    });
    const every = await put(rows(weekdays), { calendar: "all-days" });
    expect(every.data).toMatchObject({ frequency: "P1D", calendar: null, calendarOption: "all-days" });
    const withSaturday = rows([...weekdays, 5]);
    expect((await put(withSaturday, {})).data).toMatchObject({ frequency: "P1D", calendar: null });
    const { data } = await put(withSaturday, { calendar: "business" });
    expect(data).toMatchObject({ frequency: "P1D", calendar: "business", calendarOption: "business" });
    expect(data.warnings).toMatchObject([{ code: "rows_sorted" }, { code: "off_grid", rows: 1 }]);
    const { data: later } = await append("at,load", `${day(40)},1`, `${day(47)},2`);
    expect(later).toMatchObject({ calendar: "business", calendarOption: "business" });
  });

  it("is rejected for rows that are not daily", async () => {
    const hours = ["at,load", ...[1, 2, 3, 4].map((hour) => `2024-01-01T0${hour}:00,${hour}`)];
    const { error } = await put(hours, { calendar: "business" });
    expect(error).toMatchObject({ code: "validation_failed", details: [{ field: "calendar" }] });
    expect(error?.message).toContain('have the step "hour"');
  });
});

describe("the generated scenario continues a series of", () => {
  const date = (year: number, month: number, on: number) =>
    new Date(Date.UTC(year, month, on)).toISOString().slice(0, 10);
  const clamped = (year: number, month: number, on: number) =>
    date(year, month, Math.min(on, new Date(Date.UTC(year, month + 1, 0)).getUTCDate()));
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const cases: [
    string,
    (step: number) => string,
    Pick<PutDataset, "calendar"> & { frequency: string },
    string[]?,
  ][] = [
    [
      "quarters as 2014Q1",
      (step) => `${2014 + Math.floor(step / 4)}Q${(step % 4) + 1}`,
      { frequency: "P3M" },
    ],
    ["weeks as 2015-W05", (step) => `2015-W${String(step + 5).padStart(2, "0")}`, { frequency: "P7D" }],
    [
      "months as Jan-10",
      (step) => `${months[step % 12]}-${String(10 + Math.floor(step / 12))}`,
      { frequency: "P1M" },
    ],
    ["weeks on Thursdays", (step) => date(2020, 0, 2 + 7 * step), { frequency: "P7D" }],
    ["weeks on Sundays", (step) => date(2020, 0, 5 + 7 * step), { frequency: "P7D" }],
    ["month ends from 28 February", (step) => clamped(2022, 1 + step, 31), { frequency: "P1M" }],
    ["months on the 28th from February", (step) => date(2022, 1 + step, 28), { frequency: "P1M" }],
    ["months on the 30th from 30 April", (step) => clamped(2022, 3 + step, 30), { frequency: "P1M" }],
    ["quarter ends from 30 June", (step) => clamped(2012, 5 + 3 * step, 31), { frequency: "P3M" }],
    [
      "business days with a Saturday",
      (step) => date(2024, 0, 1 + Math.floor(step / 5) * 7 + (step % 5)),
      { frequency: "P1D", calendar: "business" },
      [`${date(2024, 0, 6)},50`],
    ],
  ];

  it.each(cases)("%s", async (_, text, { calendar, frequency }, more = []) => {
    const written = Array.from({ length: 40 }, (_, step) => `${text(step)},${100 + (step % 4) * 7 + step}`);
    const one = await createTrainedProject({
      csv: ["at,load", ...written, ...more].join("\n"),
      target: "load",
      timestamp: "at",
      ...(calendar && { calendar }),
      request: { algorithm: "ridge", features: { lags: [1], rolling: [], calendar: true } },
    });
    const dataset = (await currentDataset(db, one.projectId))!;
    expect(dataset.frequency).toBe(calendar === "business" ? "P1B" : frequency);
    const scenario = await createScenario(one, {});
    const { data } = await callRoute<PredictionRow[]>(predictionsRoute, {
      params: { projectId: one.projectId, scenarioId: scenario.id },
      as: one.as,
    });
    // The same texts continued, as the service reads them.
    await put(["at,load", ...[40, 41, 42].map((step) => `${text(step)},${step}`)], {});
    expect(data.slice(0, 3).map(({ timestamp }) => timestamp!.slice(0, 16))).toEqual(await stored("at"));
  });
});
