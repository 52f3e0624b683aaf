import { describe, expect, it } from "vitest";
import type { Dataset } from "#lib/contract/datasets";
import { TIME_FORMATS } from "#lib/contract/reading";
import { POST as appendRoute } from "../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { callRoute, createKey, createProject } from "./api.ts";
import { inRequest, predict, putDataset, validate } from "./csv-entry-points.ts";
import { createTestDatabase } from "./postgres.ts";
import { createTrainedProject } from "./scenario-factory.ts";
import { encode } from "./write-dialect.ts";

await createTestDatabase();
const { id: projectId } = await createProject();
const project = { projectId, as: await createKey({ projectId }) };

const two = (value: number) => String(value).padStart(2, "0");
const iso = (ms: number) => new Date(ms).toISOString();
const DAY_MS = 86_400_000;

/** Times at a step, and the cells that write each of them. */
type TimeCase = {
  format: string;
  columns?: string[];
  frequency: string;
  at: (row: number) => number;
  write: (at: Date) => string;
  options?: object;
};

const months = (row: number) => Date.UTC(2018, row, 1);
const days = (row: number) => Date.UTC(2020, 0, 20) + row * DAY_MS;
const hours = (row: number) => Date.UTC(2024, 0, 1, row);
const quarters = (row: number) => Date.UTC(2005, 3 * row, 1);
/** Mondays. */
const weeks = (row: number) => Date.UTC(2018, 0, 1) + row * 7 * DAY_MS;
const ymd = (at: Date) => iso(at.getTime()).slice(0, 10).replaceAll("-", "");
const isoWeek = (at: Date) => {
  const thursday = new Date(at.getTime() + 3 * DAY_MS);
  const year = thursday.getUTCFullYear();
  return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1 };
};
const named = (locale: string, month: "short" | "long") => (at: Date) =>
  `"${at.toLocaleDateString(locale, { day: "numeric", month, year: "numeric", timeZone: "UTC" })}"`;
const month = { frequency: "P1M", at: months };
const day = { frequency: "P1D", at: days };

const cases: TimeCase[] = [
  { format: "YYYYMM", ...month, write: (at) => ymd(at).slice(0, 6) },
  { format: "YYMM", ...month, write: (at) => ymd(at).slice(2, 6) },
  { format: "month-year", ...month, write: (at) => `${two(at.getUTCMonth() + 1)}.${at.getUTCFullYear()}` },
  { format: "month-year", ...month, write: (at) => `${at.getUTCMonth() + 1}/${at.getUTCFullYear()}` },
  {
    format: "decimal-year",
    ...month,
    write: (at) => (at.getUTCFullYear() + (at.getUTCMonth() + 0.5) / 12).toFixed(4),
  },
  {
    format: "decimal-year",
    ...month,
    write: (at) => (at.getUTCFullYear() + at.getUTCMonth() / 12).toFixed(3),
  },
  { format: "iso", ...month, write: (at) => `${at.getUTCFullYear()}M${two(at.getUTCMonth() + 1)}` },
  { format: "iso", ...month, write: (at) => `${at.getUTCFullYear()}/${two(at.getUTCMonth() + 1)}` },
  ...["en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "pt-PT", "nl-NL"].map(
    (locale): TimeCase => ({ format: "month-name", ...day, write: named(locale, "long") }),
  ),
  { format: "month-name", ...day, write: named("en-US", "short") },
  { format: "month-name", ...day, write: (at) => named("en-GB", "short")(at).replaceAll(" ", "-") },
  { format: "YYMMDD", ...day, write: (at) => ymd(at).slice(2) },
  { format: "YYYYMMDD", ...day, write: ymd },
  {
    format: "DDMMYYYY",
    ...day,
    write: (at) => `${ymd(at).slice(6)}${ymd(at).slice(4, 6)}${ymd(at).slice(0, 4)}`,
  },
  {
    format: "iso",
    ...day,
    write: (at) => `${at.getUTCFullYear()}-${at.getUTCMonth() + 1}-${at.getUTCDate()}`,
  },
  { format: "iso", ...day, write: (at) => iso(at.getTime()).slice(0, 10).replaceAll("-", ".") },
  { format: "month-day-year", ...day, write: (at) => `${at.getUTCMonth() + 1}/${at.getUTCDate()}/20` },
  {
    format: "day-month-year",
    ...day,
    write: (at) => `${two(at.getUTCDate())}.${two(at.getUTCMonth() + 1)}.20`,
  },
  { format: "YYYYMMDDHH", frequency: "PT1H", at: hours, write: (at) => ymd(at) + two(at.getUTCHours()) },
  {
    format: "YYYYMMDDHHMI",
    frequency: "PT10M",
    at: (row) => Date.UTC(2022, 0, 18) + row * 600_000,
    write: (at) => ymd(at) + two(at.getUTCHours()) + two(at.getUTCMinutes()),
  },
  { format: "epoch-seconds", frequency: "PT1H", at: hours, write: (at) => String(at.getTime() / 1000) },
  { format: "epoch-milliseconds", frequency: "PT1H", at: hours, write: (at) => String(at.getTime()) },
  {
    format: "YYYYWW",
    frequency: "P7D",
    at: weeks,
    write: (at) => `${isoWeek(at).year}${two(isoWeek(at).week)}`,
  },
  {
    format: "YYWW",
    frequency: "P7D",
    at: (row) => weeks(row + 340),
    write: (at) => `${two(isoWeek(at).year % 100)}${two(isoWeek(at).week)}`,
  },
  {
    format: "week-year",
    frequency: "P7D",
    at: weeks,
    write: (at) => `${two(isoWeek(at).week)}/${isoWeek(at).year}`,
  },
  { format: "fiscal-year", frequency: "P1Y", at: (row) => Date.UTC(1960 + row, 0, 1), write: fiscal },
  {
    format: "year+month",
    columns: ["year", "month"],
    ...month,
    write: (at) => `${at.getUTCFullYear()},${at.getUTCMonth() + 1}`,
  },
  {
    format: "year+quarter",
    columns: ["Jahr", "Quartal"],
    frequency: "P3M",
    at: quarters,
    write: (at) => `${at.getUTCFullYear()},${Math.floor(at.getUTCMonth() / 3) + 1}`,
  },
  {
    format: "year+week",
    columns: ["year", "week"],
    frequency: "P7D",
    at: weeks,
    write: (at) => `${isoWeek(at).year},${isoWeek(at).week}`,
  },
  {
    format: "year+month+day",
    columns: ["YY", "m", "d"],
    ...day,
    write: (at) => `${at.getUTCFullYear()},${at.getUTCMonth() + 1},${at.getUTCDate()}`,
  },
  {
    format: "year+month+day+hour",
    columns: ["YEAR", "MO", "DY", "HR"],
    frequency: "PT1H",
    at: hours,
    write: (at) => `${at.getUTCFullYear()},${at.getUTCMonth() + 1},${at.getUTCDate()},${at.getUTCHours()}`,
  },
];

function fiscal(at: Date): string {
  return `${at.getUTCFullYear()}-${two((at.getUTCFullYear() + 1) % 100)}`;
}

const fileOf = ({ at, write, columns = ["t"] }: TimeCase, from: number, to: number) => {
  const lines = Array.from({ length: to - from }, (_, row) => {
    const time = new Date(at(from + row));
    return `${write(time)},${100 + ((from + row) % 7)}`;
  });
  return inRequest(encode([`${columns.join(",")},y`, ...lines].join("\n"), "utf-8"));
};

describe("a dataset and its appended rows read times as they are written:", () => {
  it.each(cases.map((one) => [`${one.format}, such as ${one.write(new Date(one.at(0)))}`, one] as const))(
    "%s",
    async (_, one) => {
      const timestamp = one.columns ?? "t";
      const { data, error } = await putDataset(project, { ...fileOf(one, 0, 50), target: "y", timestamp });
      expect(error).toBeUndefined();
      expect(data).toMatchObject({
        reading: { timestampFormat: one.format },
        firstTimestamp: iso(one.at(0)),
        lastTimestamp: iso(one.at(49)),
        frequency: one.frequency,
      });
      const appended = await callRoute<Dataset>(appendRoute, {
        params: { projectId },
        as: project.as,
        body: fileOf(one, 50, 51),
      });
      expect(appended.error).toBeUndefined();
      expect(appended.data).toMatchObject({
        lastTimestamp: iso(one.at(50)),
        reading: { timestampFormat: one.format },
      });
    },
  );
});

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

/** Formats that are read by an option, or that other tests cover for datasets. */
const asked: TimeCase[] = [
  {
    format: "DDMMYY",
    ...day,
    write: (at) => `${ymd(at).slice(6)}${ymd(at).slice(4, 6)}${ymd(at).slice(2, 4)}`,
  },
  { format: "MMDDYY", ...day, write: (at) => `${ymd(at).slice(4)}${ymd(at).slice(2, 4)}` },
  {
    format: "YYYYMMDDHHMI",
    frequency: "PT1H",
    at: hours,
    write: (at) => `${ymd(at)}${two(at.getUTCHours())}00`,
  },
  {
    format: "YY-MM-DD",
    ...day,
    write: (at) => `${ymd(at).slice(2, 4)}/${ymd(at).slice(4, 6)}/${ymd(at).slice(6)}`,
  },
  {
    format: "year",
    frequency: "P1Y",
    at: (row) => Date.UTC(1940 + row, 0, 1),
    write: (at) => `${at.getUTCFullYear()}`,
  },
  {
    format: "YYYYQ",
    frequency: "P3M",
    at: quarters,
    write: (at) => `${at.getUTCFullYear()}${quarterOf(at)}`,
  },
  {
    format: "YYYYDDD",
    ...day,
    write: (at) => `${at.getUTCFullYear()}${String(dayOfYear(at)).padStart(3, "0")}`,
  },
  { format: "MMDDYYYY", ...day, write: (at) => `${ymd(at).slice(4)}${ymd(at).slice(0, 4)}` },
  {
    format: "YYYYMMDDHHMISS",
    frequency: "PT1H",
    at: hours,
    write: (at) => `${ymd(at)}${two(at.getUTCHours())}0000`,
  },
  { format: "spreadsheet-days", ...day, write: (at) => String(at.getTime() / DAY_MS + 25_569) },
  { format: "YYYYWW-US", frequency: "P7D", at: sundays, write: (at) => usWeek(at).replace(",", "") },
  { format: "year+week-US", columns: ["year", "week"], frequency: "P7D", at: sundays, write: usWeek },
  {
    format: "year+day-of-year",
    columns: ["year", "doy"],
    ...day,
    write: (at) => `${at.getUTCFullYear()},${dayOfYear(at)}`,
  },
];

function quarterOf(at: Date): number {
  return Math.floor(at.getUTCMonth() / 3) + 1;
}

function dayOfYear(at: Date): number {
  return (at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / DAY_MS + 1;
}

function sundays(row: number): number {
  return weeks(row) - DAY_MS;
}

/** Returns year and week of the US: the week belongs to the year of its Wednesday. */
function usWeek(at: Date): string {
  const wednesday = at.getTime() + 3 * DAY_MS;
  const year = new Date(wednesday).getUTCFullYear();
  return `${year},${two(Math.floor((wednesday - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1)}`;
}

/** Times that the calendar does not have, for two of the formats. */
const impossible: Record<string, object> = {
  YYYYMM: { t: ["202313"] },
  "year+month": { year: [2023], month: [13] },
};

describe("scenarios and predictions read the times of their model:", () => {
  it.each(TIME_FORMATS)("%s", async (format) => {
    const one = [...asked, ...cases].find((other) => other.format === format)!;
    const columns = one.columns ?? ["t"];
    const csv = Buffer.from((fileOf(one, 0, 72) as { fileData: string }).fileData, "base64").toString();
    const model = await createTrainedProject({
      csv,
      target: "y",
      timestamp: columns,
      timestampFormat: format,
      request: { algorithm: "ridge", features: { lags: [], rolling: [] } },
    });
    const inputOf = (row: number) => {
      const text = one.write(new Date(one.at(row)));
      const cells = columns.length > 1 ? text.split(",") : [text.replaceAll('"', "")];
      const value = (cell: string) => (/^[1-9]\d*$/.test(cell) ? Number(cell) : cell);
      return Object.fromEntries(columns.map((name, at) => [name, [value(cells[at]!)]]));
    };
    const after = await predict(model, inputOf(72));
    expect(after.error).toBeUndefined();
    expect(after.data.warnings.map(({ code }) => code)).not.toContain("in_sample");
    expect((await predict(model, inputOf(5))).data.warnings.map(({ code }) => code)).toContain("in_sample");
    const before = (await predict(model, inputOf(-13))).data.warnings.map(({ code }) => code);
    expect(before).toContain("before_training");
    expect(before).not.toContain("in_sample");
    const verdict = await validate(model, fileOf(one, 72, 75));
    expect(verdict.data).toMatchObject({ valid: true, rowCount: 3, reading: { timestampFormat: format } });
    if (impossible[format] !== undefined)
      expect((await predict(model, impossible[format])).error?.code).toBe("input_invalid");
  });
});
