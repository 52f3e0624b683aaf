import { describe, expect, it } from "vitest";
import type { NumericColumn } from "#lib/contract/table";
import type { CsvOptions, CsvResult } from "./options.ts";
import { parseCsv } from "./parse.ts";

function numbers(result: CsvResult, name: string): number[] {
  return [...(result.table.columns.find((one) => one.name === name) as NumericColumn).values];
}

function times(result: CsvResult, name: string): (string | null)[] {
  return numbers(result, name).map((ms) => (Number.isNaN(ms) ? null : new Date(ms).toISOString()));
}

const codes = (input: string, options?: CsvOptions) =>
  parseCsv(input, options).issues.map(({ code }) => code);

describe("parseCsv with times", () => {
  it("reads complete times alone, and a joined date and hour", () => {
    const csv = "dteday,hr,cnt\n1/1/2011,0,16\n1/1/2011,23,40\n1/13/2011,5,1";
    const result = parseCsv(csv, { timestamp: ["dteday", "hr"] });
    expect(times(result, "dteday")).toEqual([
      "2011-01-01T00:00:00.000Z",
      "2011-01-01T23:00:00.000Z",
      "2011-01-13T05:00:00.000Z",
    ]);
    expect(numbers(result, "hr")).toEqual([0, 23, 5]);
    expect(result.times).toEqual({
      column: "dteday",
      columns: ["dteday", "hr"],
      format: "month-day-year",
      dateOrder: "month-first",
    });
    expect(codes("d,h\n2024-01-01,24", { timestamp: ["d", "h"] })).toEqual(["invalid_hour"]);
    expect(codes("d,h\n2024-01-01,1.5", { timestamp: ["d", "h"] })).toEqual(["invalid_hour"]);
    expect(codes("d,h\n2024-01-01T05:00,1", { timestamp: ["d", "h"] })).toEqual(["not_a_timestamp"]);
    const texts = parseCsv("d,h\n2024-01-01,14:30\n2024-01-02,3 pm", { timestamp: ["d", "h"] });
    expect(times(texts, "d")).toEqual(["2024-01-01T14:30:00.000Z", "2024-01-02T15:00:00.000Z"]);
  });

  it.each([
    ["2024-01-31T10:00:00Z", "2024-01-31T10:00:00.000Z"],
    ["2024-01-31T10:00:00+02:00", "2024-01-31T08:00:00.000Z"],
    ["2024-01-31 10:00", "2024-01-31T10:00:00.000Z"],
    ["1/31/2024", "2024-01-31T00:00:00.000Z"],
    ["31.1.2024 10:00", "2024-01-31T10:00:00.000Z"],
    ["31/1/2024", "2024-01-31T00:00:00.000Z"],
    ["4/4/2024", "2024-04-04T00:00:00.000Z"],
    ["1706695200", "2024-01-31T10:00:00.000Z"],
    ["1706695200000", "2024-01-31T10:00:00.000Z"],
    ["2024", "2024-01-01T00:00:00.000Z"],
    ["2020Q1", "2020-01-01T00:00:00.000Z"],
    ["2020-Q4", "2020-10-01T00:00:00.000Z"],
    ["Q2 2020", "2020-04-01T00:00:00.000Z"],
    ["2015-W05", "2015-01-26T00:00:00.000Z"],
    ["2020W53", "2020-12-28T00:00:00.000Z"],
    ["Jan-10", "2010-01-01T00:00:00.000Z"],
    ["Dec-69", "1969-12-01T00:00:00.000Z"],
    ["Sep 2021", "2021-09-01T00:00:00.000Z"],
    ["2021 September", "2021-09-01T00:00:00.000Z"],
    ["-1", "1969-12-31T23:59:59.000Z"],
    ["1706695200.25", "2024-01-31T10:00:00.250Z"],
    ["2024-01-31T10:00:00.123456789-0130", "2024-01-31T11:30:00.123Z"],
    ["1000-01-01T00:00Z", "1000-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("reads %s as %s", (text, iso) => {
    const result = parseCsv(`t,x\n${text},1`, { timestamp: "t" });
    expect(result.issues).toEqual([]);
    expect(times(result, "t")).toEqual([iso]);
  });

  it("applies the dataset's zone to texts without a zone", () => {
    const zoned = parseCsv("t,x\n2024-07-01 10:00,1\n2024-01-01 10:00,1", {
      timestamp: "t",
      timezone: "Europe/Berlin",
    });
    expect(times(zoned, "t")).toEqual(["2024-07-01T08:00:00.000Z", "2024-01-01T09:00:00.000Z"]);
    const named = parseCsv("t,x\n2024-07-01T10:00Z,1", { timestamp: "t", timezone: "Europe/Berlin" });
    expect(times(named, "t")).toEqual(["2024-07-01T10:00:00.000Z"]);
    expect(codes("t,x\n2024-03-31 02:30,1", { timestamp: "t", timezone: "Europe/Berlin" })).toEqual([
      "time_not_in_timezone",
    ]);
    expect(codes("t,x\n2024-03-31 02:30,1\n2024-03-31 03:30Z,1", { timestamp: "t" })).toEqual([
      "mixed_zones",
    ]);
  });

  it("rejects ambiguous dates unless a row or the options decide", () => {
    const ambiguous = parseCsv("t,x\n1/1/2024,1\n3/4/2024,1\n5/6/2024,2", { timestamp: "t" });
    expect(ambiguous.issueCount).toBe(1);
    expect(ambiguous.issues[0]).toMatchObject({
      row: 2,
      column: "t",
      value: "3/4/2024",
      code: "ambiguous_date",
    });
    expect(ambiguous.issues[0]?.message).toContain("2024-03-04");
    expect(ambiguous.issues[0]?.message).toContain("2024-04-03");
    expect(codes("t,x\n3.4.2024,1", { timestamp: "t" })).toEqual(["ambiguous_date"]);
    const decided = parseCsv("t,x\n3/4/2024,1\n13/4/2024,1", { timestamp: "t" });
    expect(times(decided, "t")).toEqual(["2024-04-03T00:00:00.000Z", "2024-04-13T00:00:00.000Z"]);
    const declared = parseCsv("t,x\n3/4/2024,1", { timestamp: "t", dateOrder: "day-first" });
    expect(times(declared, "t")).toEqual(["2024-04-03T00:00:00.000Z"]);
    expect(codes("t,x\n1/13/2024,1\n1/14/2024,1\n15/1/2024,1", { timestamp: "t" })).toEqual(["invalid_date"]);
  });

  it.each([
    ["2024-02-30", "invalid_date"],
    ["2/30/2024", "invalid_date"],
    ["yesterday", "not_a_timestamp"],
    ["2024-01-02T25:00", "invalid_date"],
    ["2024-01-02T24:00", "invalid_date"],
    ["2024-01-02T23:59:60", "invalid_date"],
    ["0000-01-01", "invalid_date"],
    ["10000-01-01", "invalid_date"],
    ["20240102", "ambiguous_date"],
  ])("rejects %s", (text, code) => {
    expect(
      codes(
        `t,x\n1/31/2024,1\n${text},1`.replace("1/31/2024", text.includes("/") ? "1/31/2024" : "2024-01-31"),
        { timestamp: "t" },
      ),
    ).toEqual([code]);
  });

  it("rejects a number that is a date without separators, and reports both readings", () => {
    const [issue] = parseCsv("t,x\n20240131,1", { timestamp: "t" }).issues;
    expect(issue).toMatchObject({ row: 1, column: "t", value: "20240131", code: "ambiguous_date" });
    expect(issue!.message).toContain("the day 2024-01-31 or a number of seconds since 1970");
  });

  it.each([
    ["45322", "the day 2024-01-31 or"],
    ["45322.75", "the time 2024-01-31T18:00:00 or"],
  ])("rejects %s, a spreadsheet's number of a date", (text, reading) => {
    const [issue] = parseCsv(`t,x\n${text},1`, { timestamp: "t" }).issues;
    expect(issue).toMatchObject({ row: 1, column: "t", value: text, code: "ambiguous_date" });
    expect(issue!.message).toContain(reading);
    expect(codes("t,x\n0,1\n45322,1", { timestamp: "t" })).toEqual([]);
  });

  it.each([
    ["20240102", "ambiguous_date"],
    ["45294", "ambiguous_date"],
    ["2024", "not_a_timestamp"],
  ])("rejects %s after an epoch number that is far from 0", (text, code) => {
    for (const first of ["1704067200", "1704067200000"])
      expect(codes(`t,x\n${first},1\n${text},1`, { timestamp: "t" })).toEqual([code]);
    expect(codes(`t,x\n0,1\n${text},1`, { timestamp: "t" })).toEqual([]);
  });

  it("rejects seconds after milliseconds, and milliseconds after seconds", () => {
    for (const [first, second] of [
      ["1700000000000", "1700000000"],
      ["1700000000", "1700000000000"],
    ])
      expect(codes(`t,x\n${first},1\n${second},1`, { timestamp: "t" })).toEqual(["not_a_timestamp"]);
  });

  it.each([
    ["America/Santiago", "2024-09-07", "2024-09-08", "2024-09-08T04:00:00.000Z"],
    ["Africa/Cairo", "25.04.2024", "26.04.2024", "2024-04-25T22:00:00.000Z"],
  ])("reads a day without midnight in %s as its first moment", (timezone, before, day, begins) => {
    const result = parseCsv(`t,x\n${before},1\n${day},1`, { timestamp: "t", timezone });
    expect(result.issues).toEqual([]);
    expect(times(result, "t")[1]).toBe(begins);
    // In an hourly series, the skipped hour is an issue like any other skipped time.
    const hours = codes(`t,x\n${before} 23:00,1\n${day} 00:00,1`, { timestamp: "t", timezone });
    expect(hours).toEqual(["time_not_in_timezone"]);
    expect(codes("t,x\n2011-12-30,1", { timestamp: "t", timezone: "Pacific/Apia" })).toHaveLength(1);
  });

  it("rejects times that the zone's offset moves out of the supported years, and later epochs", () => {
    expect(codes("t,x\n1000-01-01,1", { timestamp: "t", timezone: "Asia/Tokyo" })).toEqual(["invalid_date"]);
    expect(codes("t,x\n1e15,1", { timestamp: "t" })).toEqual(["invalid_date"]);
  });

  it("reports a date as written, also if the whole column makes it invalid", () => {
    const result = parseCsv("t,x\n13/01/2024 07:00,1\n14/01/2024 07:00,1\n01/15/2024 07:00,1", {
      timestamp: "t",
    });
    expect(result.issues).toMatchObject([{ row: 3, value: "01/15/2024 07:00", code: "invalid_date" }]);
  });

  it("requires a time in every row", () => {
    expect(parseCsv("t,x\n2024-01-01,1\n,2", { timestamp: "t" }).issues).toMatchObject([
      { row: 2, column: "t", code: "missing_value" },
    ]);
  });
});
