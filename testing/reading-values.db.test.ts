import { describe, expect, it } from "vitest";
import type { Dataset } from "#lib/contract/datasets";
import { currentDataset, readDatasetTable } from "#lib/domain/datasets/current-dataset";
import { POST as appendRoute } from "../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { callRoute, createKey, createProject } from "./api.ts";
import { valuesOf } from "./csv-case-rows.ts";
import { inRequest, predict, putDataset, validate } from "./csv-entry-points.ts";
import { createTestDatabase } from "./postgres.ts";
import { createTrainedProject } from "./scenario-factory.ts";
import { encode } from "./write-dialect.ts";

const { db } = await createTestDatabase();
const { id: projectId } = await createProject();
const project = { projectId, as: await createKey({ projectId }) };

const DAY_MS = 86_400_000;
const day = (row: number) => new Date(Date.UTC(2024, 0, 1) + row * DAY_MS).toISOString().slice(0, 10);
const lines = (header: string, count: number, row: (at: number) => string) =>
  [header, ...Array.from({ length: count }, (_, at) => row(at))].join("\n");
const put = (file: string, options: object) =>
  putDataset(project, { ...inRequest(encode(file, "utf-8")), target: "y", ...options });
const values = async (name: string) =>
  valuesOf(await readDatasetTable((await currentDataset(db, projectId))!), name);
const append = (file: string) =>
  callRoute<Dataset>(appendRoute, {
    params: { projectId },
    as: project.as,
    body: inRequest(encode(file, "utf-8")),
  });

describe("groups of digits", () => {
  it.each([
    [";", ".", "decimal-point", "grouped-point"],
    ["\t", ",", "decimal-comma", "grouped-comma"],
    ["|", ".", "decimal-point", "grouped-point"],
  ])(
    "with the delimiter %j and the mark %j are asked for, and then read in appended rows",
    async (mark, group, decimal, grouped) => {
      const whole = (at: number) => 900 + at * 37;
      const write = (value: number) =>
        value < 1000 ? String(value) : String(value).replace(/(\d{3})$/, `${group}$1`);
      const file = lines(`t${mark}y`, 20, (at) => `${day(at)}${mark}${write(whole(at))}`);
      const { error } = await put(file, { timestamp: "t" });
      expect(error!.details).toMatchObject([{ column: "y", code: "ambiguous_number" }]);
      const choices = error!.details![0]!.choices!;
      expect(choices.map(({ options }) => options)).toEqual([
        { columnFormats: { y: decimal } },
        { columnFormats: { y: grouped } },
      ]);
      expect((await put(file, { timestamp: "t", ...choices[1]!.options })).error).toBeUndefined();
      expect(await values("y")).toEqual(Array.from({ length: 20 }, (_, at) => whole(at)));
      expect((await append(`t${mark}y\n${day(20)}${mark}2${group}345`)).error).toBeUndefined();
      expect((await values("y")).at(-1)).toBe(2345);
      expect((await put(file, { timestamp: "t", ...choices[0]!.options })).error).toBeUndefined();
      expect((await values("y"))[3]).toBe(1.011);
    },
  );

  it("are not asked for if a number shows the mark as decimal", async () => {
    for (const cell of ["0.985", "12.5", "1985", "1000.5"]) {
      expect((await put(`x;y\n1;1.056\n2;${cell}\n3;999`, {})).error).toBeUndefined();
      expect(await values("y")).toEqual([1.056, Number(cell), 999]);
    }
  });

  it("are asked for in a file with commas only beside whole numbers of three digits", async () => {
    expect((await put("x,y\n1,177.592\n2,201.125\n3,99.375", {})).error).toBeUndefined();
    expect((await put("x,y\n1,985\n2,1.056\n3,1.125", {})).error!.details).toMatchObject([
      { row: 2, column: "y", code: "ambiguous_number" },
    ]);
  });

  it("in an input are a warning with both readings", async () => {
    const { data } = await put(
      lines("x;y", 5, (at) => `1.${500 + at};${at + 0.5}`).replaceAll(/;(\d)\.5/g, ";$1"),
      {},
    );
    expect(data.warnings).toContainEqual(
      expect.objectContaining({
        code: "ambiguous_column",
        column: "x",
        choices: [
          expect.objectContaining({ options: { columnFormats: { x: "decimal-point" } } }),
          expect.objectContaining({ options: { columnFormats: { x: "grouped-point" } } }),
        ],
      }),
    );
  });
});

describe("codes for missing values", () => {
  it.each([
    ["-200", (at: number) => (at % 5) / 2],
    ["-999", (at: number) => 20 + (at % 30)],
    ["-9999", (at: number) => at % 40],
    ["-99.9", (at: number) => (at % 7) - 3],
    ["9999", (at: number) => 1000 + (at % 25)],
    ["99999", (at: number) => 500 + 10 * (at % 31)],
    ["1e20", (at: number) => at % 9],
  ])("%s are a warning with row and value, and are read as missing with its choice", async (code, real) => {
    const file = lines("t,y", 60, (at) => `${day(at)},${at % 13 === 5 ? code : real(at)}`);
    const { data } = await put(file, { timestamp: "t" });
    const found = data.warnings.filter((warning) => warning.code === "missing_code");
    expect(found).toMatchObject([{ column: "y", firstRow: 6, rows: 5 }]);
    const { data: read } = await put(file, { timestamp: "t", ...found[0]!.choices![0]!.options });
    expect(read.warnings.map((warning) => warning.code)).not.toContain("missing_code");
    expect((await values("y"))[5]).toBeNull();
    expect((await append(`t,y\n${day(60)},${Number(code)}`)).error).toBeUndefined();
    expect((await values("y")).at(-1)).toBeNull();
  });

  it("in texts are proposed", async () => {
    const { error } = await put("x,y\n***,1\n2,2\n3,3\n", {});
    expect(error!.message).toContain('"missing":["***"]');
    expect((await put("x,y\n***,1\n2,2\n3,3\n", { missing: ["***"] })).error).toBeUndefined();
  });

  it("are not warned about among usual values", async () => {
    for (const real of [
      (at: number) => at % 2,
      (at: number) => (at < 30 ? 0.25 : 0.5),
      (at: number) => at * at,
    ]) {
      const { data } = await put(
        lines("t,y", 60, (at) => `${day(at)},${real(at)}`),
        { timestamp: "t" },
      );
      expect(data.warnings.filter(({ code }) => code === "missing_code")).toEqual([]);
    }
  });
});

describe("rows that are no data", () => {
  const rows = lines("region,units,y", 40, (at) => `R${at % 5},${at},${at * 3 + 1}`);
  const total = (label: string) => `${label},780,2380`;
  it.each(["Total", "Gesamt", "Summe", "Somme", "Totale", "Totaal", "Suma", ""])(
    "%j: a last row of sums is named, and left out by its choice",
    async (label) => {
      const file = `${rows}\n${total(label)}`;
      const { data } = await put(file, {});
      const [warning] = data.warnings.filter(({ code }) => code === "summary_row");
      expect(warning).toMatchObject({ firstRow: 41, choices: [{ options: { skipRows: [41] } }] });
      const read = await put(file, warning!.choices![0]!.options);
      expect(read.data).toMatchObject({ rowCount: 40, reading: { skipRows: [41] } });
      expect(read.data.warnings.filter(({ code }) => code === "summary_row")).toEqual([]);
    },
  );

  const series = (at: number) => `${day(at)},${at}`;
  const body = Array.from({ length: 30 }, (_, at) => series(at));
  it.each([
    ["units under the header", ["(UTC),[kW]", ...body], [1]],
    ["a repeated header", [...body.slice(0, 10), "t,y", ...body.slice(10)], [11]],
    ["a total below the dates", [...body, "Total,435"], [31]],
    ["notes below the table", [...body, "Source: office of statistics", "Updated yearly"], [31, 32]],
  ])("%s are named, and left out by the choice", async (_, written, skipped) => {
    const file = `t,y\n${written.join("\n")}`;
    const { error } = await put(file, { timestamp: "t" });
    expect(error!.details![0]!.choices).toMatchObject([{ options: { skipRows: skipped } }]);
    const { data } = await put(file, { timestamp: "t", ...error!.details![0]!.choices![0]!.options });
    expect(data.rowCount).toBe(30);
    expect(await values("y")).toEqual(Array.from({ length: 30 }, (_, at) => at));
  });

  it.each([
    ["a year typed as 2105", [...body.slice(0, 12), "2105-01-13,12", ...body.slice(13)], 13],
    ["a row between the days", [...body.slice(0, 12), "2024-01-12T11:00,5", ...body.slice(12)], 13],
  ])("%s is named, with resample and the row to leave out", async (_, written, row) => {
    const { data } = await put(`t,y\n${written.join("\n")}`, { timestamp: "t" });
    const found = data.warnings.filter(({ code }) => code === "odd_times");
    expect(found).toMatchObject([
      { firstRow: row, choices: [{ options: { skipRows: [row] } }, { label: "Resample" }] },
    ]);
  });
});

describe("targets of texts and numbers", () => {
  it.each([
    ["magnitudes", ["1.2K", "3M", "500", "0.5B"], [1200, 3e6, 500, 5e8]],
    ["duration", ["1:30", "0:15", "10:00", "2:45"], [1.5, 0.25, 10, 2.75]],
    ["indian-grouping", ['"1,23,456"', '"12,345"', "999", '"10,00,000.5"'], [123456, 12345, 999, 1000000.5]],
  ])("are read as %s on request", async (format, cells, expected) => {
    const file = `x,y\n${cells.map((cell, at) => `${at},${cell}`).join("\n")}`;
    const { error } = await put(file, {});
    expect(error!.message).toContain(`"columnFormats":{"y":"${format}"}`);
    expect((await put(file, { columnFormats: { y: format } })).data.reading).toMatchObject({
      columnFormats: { y: format },
    });
    expect(await values("y")).toEqual(expected);
  });

  it.each([
    ["numbers with 2 units (lb, kg)", ["0 lb", "1 kg", "2 lb", "3 kg"]],
    ["ranges", ["10-12", "13-15", "16-18"]],
    ["texts and numbers", ["low", "x3", "y4", "z5"]],
  ])("that hold %s are shown", async (kind, cells) => {
    const { error } = await put(`x,y\n${cells.map((cell, at) => `${at},${cell}`).join("\n")}`, {});
    expect(error!.message).toContain(`holds ${kind}, such as "`);
    expect(error!.message).not.toContain("Create one project");
  });

  it("integers above 2^53 stay exact in inputs, and are a warning in the target", async () => {
    const { data } = await put("id,y\n9007199254740993,9007199254740993\n9007199254740994,2", {});
    expect(await values("id")).toEqual(["9007199254740993", "9007199254740994"]);
    expect(data.warnings).toContainEqual(
      expect.objectContaining({ code: "rounded_numbers", column: "y", firstRow: 1 }),
    );
  });
});

it("reads scenarios and predictions with the stored formats of the dataset", async () => {
  const write = (value: number) =>
    value < 1000 ? String(value) : `${Math.floor(value / 1000)}.${String(value % 1000).padStart(3, "0")}`;
  const csv = lines("x;y", 60, (at) => `${write(900 + at * 7)};${at * 2 + 1}`);
  const model = await createTrainedProject({
    csv,
    target: "y",
    columnFormats: { x: "grouped-point" },
    request: { algorithm: "ridge" },
  });
  const [text, number] = [await predict(model, { x: ["1.056"] }), await predict(model, { x: [1056] })];
  expect(text.error).toBeUndefined();
  expect(text.data.predictions).toEqual(number.data.predictions);
  const verdict = await validate(model, inRequest(encode("x;y\n1.056;1\n985;1", "utf-8")));
  expect(verdict.data).toMatchObject({ valid: true, rowCount: 2 });
  expect(verdict.data.warnings.map(({ code }) => code)).not.toContain("outside_range");
});
