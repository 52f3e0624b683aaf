import { describe, expect, it } from "vitest";
import { createKey, createProject } from "./api.ts";
import { inRequest, putDataset } from "./csv-entry-points.ts";
import { createTestDatabase } from "./postgres.ts";
import { two } from "./time-cases.ts";
import { encode } from "./write-dialect.ts";

await createTestDatabase();
const { id: projectId } = await createProject();
const project = { projectId, as: await createKey({ projectId }) };

describe("a dataset is rejected with each reading, and read with the option of a choice:", () => {
  const rows = (cells: string[], header = "t") =>
    inRequest(encode([`${header},y`, ...cells.map((cell, row) => `${cell},${row}`)].join("\n"), "utf-8"));
  const twelve = (write: (row: number) => string) => Array.from({ length: 12 }, (_, row) => write(row + 1));

  it.each([
    ["months or weeks", twelve((row) => `2020${two(row)}`), ["YYYYMM", "YYYYWW"]],
    ["years or months", twelve((row) => String(2000 + row)), ["year", "YYMM", "YYWW", null]],
    ["days of a spreadsheet", twelve((row) => String(45_000 + row)), ["spreadsheet-days"]],
    ["orders of day and month", ["1/2/2011", "3/4/2011"], ["month-day-year", "day-month-year"]],
    ["three orders", ["01/02/03", "02/02/03"], ["month-day-year", "day-month-year", "YY-MM-DD"]],
  ])("%s", async (_, cells, formats) => {
    const file = { ...rows(cells), target: "y", timestamp: "t" };
    const { error } = await putDataset(project, file);
    expect(error).toMatchObject({ code: "input_invalid", details: [{ code: "ambiguous_date" }] });
    const choices = error!.details![0]!.choices!;
    expect(choices).toHaveLength(formats.length);
    for (const [at, { options, cells }] of choices.entries()) {
      const { data } = await putDataset(project, { ...file, ...options });
      expect(data).toMatchObject({ reading: { timestampFormat: formats[at] } });
      if (formats[at] !== null)
        expect(data.firstTimestamp).toContain(cells.find(({ row }) => row === 1)!.reading);
    }
  });

  it("parts of a time in another order, which are stored from the year down", async () => {
    const cells = Array.from({ length: 30 }, (_, row) => `${(row % 12) + 1},${2020 + Math.floor(row / 12)}`);
    const file = { ...rows(cells, "month,year"), target: "y", timestamp: ["month", "year"] };
    const { data } = await putDataset(project, file);
    expect(data).toMatchObject({
      timestamp: ["year", "month"],
      frequency: "P1M",
      lastTimestamp: "2022-06-01T00:00:00.000Z",
      reading: { timestampFormat: "year+month" },
    });
  });

  it("an index, whose rows keep their order without a timestamp", async () => {
    const file = { ...rows(twelve(String)), target: "y" };
    const { error } = await putDataset(project, { ...file, timestamp: "t" });
    expect(error!.details).toMatchObject([
      { row: 1, column: "t", choices: [{ options: { timestamp: null } }] },
    ]);
    const { data } = await putDataset(project, { ...file, timestamp: null });
    expect(data).toMatchObject({ timestamp: null, rowCount: 12 });
  });

  it("an ambiguous input column is a warning with both readings", async () => {
    const file = rows(["1/2/2011,1", "3/4/2011,2"], "bought,x");
    const { data } = await putDataset(project, { ...file, target: "y" });
    expect(data.warnings).toContainEqual(
      expect.objectContaining({
        code: "ambiguous_column",
        column: "bought",
        choices: [
          expect.objectContaining({ options: { columnFormats: { bought: "month-day-year" } } }),
          expect.objectContaining({ options: { columnFormats: { bought: "day-month-year" } } }),
        ],
      }),
    );
    const chosen = await putDataset(project, {
      ...file,
      target: "y",
      columnFormats: { bought: "day-month-year" },
    });
    expect(chosen.data.warnings.map(({ code }) => code)).not.toContain("ambiguous_column");
    expect(chosen.data.reading).toMatchObject({
      timestampFormat: null,
      columnFormats: { bought: "day-month-year" },
    });
    expect(data.reading).toMatchObject({ columnFormats: { bought: "month-day-year" } });
    expect(chosen.data.columns[0]!.min).toBe(Date.UTC(2011, 1, 1));
  });

  it("hours that a clock change repeats, with the zones that explain them", async () => {
    const clock = [
      "01:30",
      "01:45",
      "02:00",
      "02:15",
      "02:30",
      "02:45",
      "02:00",
      "02:15",
      "02:30",
      "02:45",
      "03:00",
    ];
    const file = { ...rows(clock.map((time) => `2020-10-25 ${time}`)), target: "y", timestamp: "t" };
    const { error } = await putDataset(project, file);
    expect(error!.message).toContain("The clocks were set back");
    const [choice] = error!.details![0]!.choices!;
    expect(choice).toMatchObject({ options: { timezone: "Europe/Berlin" } });
    const { data } = await putDataset(project, { ...file, ...choice!.options });
    expect(data).toMatchObject({ frequency: "PT15M", rowCount: 11 });
  });

  it("a column of years, with the parts that make it unique", async () => {
    const file = rows(["2020,1", "2020,2", "2021,1", "2021,2"], "year,quarter");
    const { error } = await putDataset(project, { ...file, target: "y", timestamp: "year" });
    const [choice] = error!.details![0]!.choices!;
    expect(choice!.options).toEqual({ timestamp: ["year", "quarter"] });
    expect((await putDataset(project, { ...file, target: "y", ...choice!.options })).data.frequency).toMatch(
      /^P/,
    );
  });
});
