import { describe, expect, it } from "vitest";
import type { PutDataset } from "#lib/contract/dataset-requests";
import { createKey, createProject } from "./api.ts";
import { inRequest, putDataset, runScenario, uploaded, validate } from "./csv-entry-points.ts";
import { createTestDatabase } from "./postgres.ts";
import { postScenario, type TrainedProject, train } from "./scenario-factory.ts";
import { workbook } from "./workbooks.ts";
import { encode } from "./write-dialect.ts";

await createTestDatabase();

type Settings = Partial<Omit<PutDataset, "fileData" | "uploadId">>;

/** Trains a model on a file with the target `y`. */
async function trained(file: Uint8Array, settings: Settings): Promise<TrainedProject> {
  const { id: projectId } = await createProject();
  const project = { projectId, as: await createKey({ projectId }) };
  const { error } = await putDataset(project, { ...inRequest(file), target: "y", ...settings });
  expect(error).toBeUndefined();
  await train(projectId, settings.series ? {} : { algorithm: "ridge", features: { lags: [] } });
  return project;
}

const text = (lines: readonly string[]) => encode(lines.join("\n"), "utf-8");
/** Sixty rows of cells. */
const rows = (row: (at: number) => unknown[]) => Array.from({ length: 60 }, (_, at) => row(at));
const csv = (header: string, row: (at: number) => unknown[], mark = ",") =>
  text([header, ...rows(row).map((cells) => cells.join(mark))]);
const months = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => new Date(Date.UTC(2022, from + at)).toISOString().slice(0, 7));
/** A workbook whose second sheet holds the rows. */
const sales = (cells: (string | number)[][]) =>
  workbook({
    sheets: {
      Notes: [
        ["author", "state"],
        ["Ann", "final"],
      ],
      Sales: cells,
    },
  });
const hours = rows((at) => [at, at]).map(([at]) => Number(at));

/** Files that only the stored reading reads. */
const cases: [name: string, file: Uint8Array, settings: Settings, input: Uint8Array, rowCount: number][] = [
  [
    "a wide table",
    text([["unit", ...months(0, 60)].join(","), ["t", ...hours.map((at) => at % 12)].join(",")]),
    { shape: { kind: "wide", times: months(0, 60), valueName: "y" }, timestamp: "time" },
    text([["unit", ...months(60, 3)].join(","), "t,,,"]),
    3,
  ],
  [
    "a wide table of several series",
    text([["shop", ...months(0, 60)].join(","), ...["A", "B"].map((shop) => [shop, ...hours].join(","))]),
    { shape: { kind: "wide", times: months(0, 60), valueName: "y" }, timestamp: "time", series: ["shop"] },
    text([["shop", ...months(60, 3)].join(","), "A,,,", "B,,,"]),
    6,
  ],
  [
    "the second sheet of a workbook",
    sales([["x", "y"], ...hours.map((at) => [at % 7, at])]),
    { sheet: "Sales" },
    sales([["x"], [3], [4]]),
    2,
  ],
  [
    "a header below other lines",
    text(["Report,,", "x,when,y", ...hours.map((at) => `${at % 7},2024-01-01,${at}`)]),
    { headerRow: 2 },
    text(["Report", "x,when", "3,2024-01-01"]),
    1,
  ],
  [
    "durations",
    csv("x,y", (at) => [`${at % 9}:30`, at]),
    { columnFormats: { x: "duration" } },
    text(["x", "1:30", "2:15"]),
    2,
  ],
  [
    "magnitudes",
    csv("x,y", (at) => [`${1 + (at % 9)}K`, at]),
    { columnFormats: { x: "magnitudes" } },
    text(["x", "1.5K", "3M"]),
    2,
  ],
  [
    "numbers with a unit",
    csv("x;y", (at) => [`${1 + (at % 9)},5 €`, at], ";"),
    { numberFormats: [{ column: "x", unit: "€", decimalMark: "," }] },
    text(["x;z", "1,5 €;1", "2 €;2"]),
    2,
  ],
  [
    "texts for missing values",
    csv("x,y", (at) => [at % 9 === 0 ? "never" : at % 7, at]),
    { missing: ["never"] },
    text(["x", "never", "never", "3"]),
    3,
  ],
  [
    "dates, most of them missing",
    csv("last,y", (at) => [at % 2 === 0 ? "never" : `2024-01-${10 + (at % 20)}`, at]),
    { missing: ["never"] },
    text(["last", "never", "never", "2024-02-01"]),
    3,
  ],
  [
    "complete times in place of a date and an hour",
    csv("day,hr,x,y", (at) => [`2024-01-0${1 + Math.floor(at / 24)}`, at % 24, at % 5, at]),
    { timestamp: ["day", "hr"] },
    text(["day,x", "2024-01-04T00:00Z,1", "2024-01-04T01:00Z,2"]),
    2,
  ],
  [
    "booleans as words and numbers",
    csv("open,y", (at) => [at % 2 === 0, at % 5]),
    {},
    text(["open", "true", "1", "FALSE", "0"]),
    4,
  ],
];

describe("an upload is read as the same file in the request, with the stored reading:", () => {
  it.each(cases)("%s", async (_, file, settings, input, rowCount) => {
    const project = await trained(file, settings);
    const sent = await validate(project, inRequest(input));
    expect(sent.data).toMatchObject({ valid: true, faults: [], rowCount });
    const upload = await uploaded(project, input);
    const { reading, warnings } = sent.data;
    expect((await validate(project, upload)).data).toEqual({
      valid: true,
      faults: [],
      rowCount,
      warnings: warnings.filter(({ code }) => code === "unknown_column"),
      reading,
    });
    const [first, second] = [
      await runScenario(project, inRequest(input)),
      await runScenario(project, upload),
    ];
    expect(second.job.errorMessage).toBeNull();
    expect(second.predictions).toHaveLength(rowCount);
    expect(second.predictions).toEqual(first.predictions);
  });
});

const features = csv("price,when,open,label,y", (at) => [
  at % 7,
  `2024-01-${10 + (at % 20)}`,
  at % 2 === 0,
  ["a", "b", "c"][at % 3],
  at % 5,
]);
const right = { price: "1", when: "2024-02-01", open: "true", label: "a" };
const wrong: [column: keyof typeof right, cells: string[], code: string][] = [
  ["price", ["dear", "cheap", "free"], "not_a_number"],
  ["price", ["2024-01-01", "2024-01-02", "2024-01-03"], "not_a_number"],
  ["price", ["dear", "cheap", "5"], "not_a_number"],
  ["when", ["soon", "late", "never"], "not_a_timestamp"],
  ["when", ["true", "false", "true"], "not_a_timestamp"],
  ["open", ["yes", "no", "yes"], "not_a_boolean"],
  ["open", ["2024-01-01", "2024-01-02", "2024-01-03"], "not_a_boolean"],
  ["open", ["7", "8", "9"], "not_a_boolean"],
];

describe("the types of an upload's columns", () => {
  const project = trained(features, {});
  const fileOf = (column: keyof typeof right, cells: readonly string[]) => {
    const names = Object.keys(right) as (keyof typeof right)[];
    const lines = cells.map((cell) => names.map((name) => (name === column ? cell : right[name])).join(","));
    return text([names.join(","), ...lines]);
  };

  it.each(wrong)("are checked before the job exists: %s with %j", async (column, cells, code) => {
    const model = await project;
    const upload = await uploaded(model, fileOf(column, cells));
    const fault = expect.objectContaining({ row: null, column, code });
    expect((await validate(model, upload)).data).toMatchObject({ valid: false, faults: [fault] });
    const { status, error } = await postScenario(model, upload);
    expect([status, error]).toEqual([
      400,
      expect.objectContaining({ code: "input_invalid", details: [fault] }),
    ]);
  });

  it.each([
    ["price", ["1", "2", "dear"]],
    ["open", ["1", "true", "yes"]],
    ["when", ["2024-01-01", "2024-01-02", "soon"]],
    ["price", ["", "", ""]],
    ["label", ["1", "2024-01-01", "true"]],
  ] as const)(
    "are those of most values, and the job checks single rows: %s with %j",
    async (column, cells) => {
      const model = await project;
      const upload = await uploaded(model, fileOf(column, cells));
      expect((await validate(model, upload)).data).toMatchObject({ valid: true, faults: [] });
      expect((await postScenario(model, upload)).status).toBe(202);
    },
  );
});

it("an upload has a warning for each column that the model does not use", async () => {
  const model = await trained(
    csv("price,y", (at) => [at % 7, at]),
    {},
  );
  const input = text(["price,prize,note", "3,4,5"]);
  const sent = await validate(model, inRequest(input));
  const { data } = await validate(model, await uploaded(model, input));
  expect(data.warnings.map(({ code, column }) => [code, column])).toEqual([
    ["unknown_column", "prize"],
    ["unknown_column", "note"],
  ]);
  expect(data.warnings).toEqual(sent.data.warnings);
});
