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
    ['"Feb 02, 2012"', "2012-02-02T00:00:00.000Z"],
    ["31-Jan-1990", "1990-01-31T00:00:00.000Z"],
    ["1/31/24", "2024-01-31T00:00:00.000Z"],
    ["2024.01.01", "2024-01-01T00:00:00.000Z"],
    ["01/2020", "2020-01-01T00:00:00.000Z"],
    ["2. März 2020", "2020-03-02T00:00:00.000Z"],
    ["1er juillet 2020", "2020-07-01T00:00:00.000Z"],
    ["20240131", "2024-01-31T00:00:00.000Z"],
    ["2024013114", "2024-01-31T14:00:00.000Z"],
    ["202401311410", "2024-01-31T14:10:00.000Z"],
    ["20240131141005", "2024-01-31T14:10:05.000Z"],
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
    ["20240102", "not_a_timestamp"],
    ["2021-06-31", "invalid_date"],
    ["2021-W53", "not_a_timestamp"],
  ])("rejects %s", (text, code) => {
    expect(
      codes(
        `t,x\n1/31/2024,1\n${text},1`.replace("1/31/2024", text.includes("/") ? "1/31/2024" : "2024-01-31"),
        { timestamp: "t" },
      ),
    ).toEqual([code]);
  });

  it.each([
    ["45322", "2024-01-31 or a plain number. Write 2024-01-31"],
    ["45322.75", "2024-01-31T18:00:00 or a plain number"],
  ])("rejects %s, a spreadsheet's number of a date", (text, reading) => {
    const [issue] = parseCsv(`t,x\n${text},1`, { timestamp: "t" }).issues;
    expect(issue).toMatchObject({ row: 1, column: "t", value: text, code: "ambiguous_date" });
    expect(issue!.message).toContain(reading);
  });

  it.each([
    ...["Year", "YEAR", "yr", "FY", "Fiscal year", "ref_year", "Jahr", "Berichtsjahr", "Année", "an"],
    ...["Año fiscal", "ano", "anno", "jaar", "År", "rok"],
  ])("reads 2001 to 2012 as years without asking in a column named %s", (name) => {
    const rows = Array.from({ length: 12 }, (_, at) => `${2001 + at},${at % 5}`);
    const read = (column: string) => parseCsv([`${column},y`, ...rows].join("\n"), { timestamp: column });
    expect(read(name)).toMatchObject({ issues: [], times: { format: "year" } });
    expect(read("t").issues).toMatchObject([{ code: "ambiguous_date" }]);
  });

  it.each(["20240102", "45294", "2024", "0"])("rejects %s after an epoch number", (text) => {
    for (const first of ["1704067200", "1704067200000"])
      expect(codes(`t,x\n${first},1\n${text},1`, { timestamp: "t" })).toEqual(["not_a_timestamp"]);
  });

  it("reads a stored format and ISO 8601, and rejects other forms", () => {
    const read = (timestampFormat: NonNullable<CsvOptions["timestampFormat"]>, text: string) => {
      const { issues, ...result } = parseCsv(`t,x\n${text},1`, { timestamp: "t", timestampFormat });
      return issues[0]?.code ?? times(result as CsvResult, "t")[0];
    };
    expect(read("YYMM", "2301")).toBe("2023-01-01T00:00:00.000Z");
    expect(read("YYMM", "2023-01-05")).toBe("2023-01-05T00:00:00.000Z");
    expect(read("YYMM", "202301")).toBe("not_a_timestamp");
    expect(read("day-month-year", "1/2/2023")).toBe("2023-02-01T00:00:00.000Z");
    expect(read("day-month-year", "1/13/2023")).toBe("invalid_date");
    expect(read("fiscal-year", "2001-02")).toBe("2001-01-01T00:00:00.000Z");
    expect(read("fiscal-year", "2001-05")).toBe("not_a_timestamp");
    expect(read("iso", "2001-02")).toBe("2001-02-01T00:00:00.000Z");
  });

  it("reads numbers as seconds, milliseconds and years if the dataset is older than stored formats", () => {
    const options: CsvOptions = { timestamp: "t", timestampFormat: "unstored" };
    const at = (text: string) => times(parseCsv(`t,x\n${text},1`, options), "t")[0];
    expect(at("202301")).toBe("1970-01-03T08:11:41.000Z");
    expect(at("1706695200000")).toBe("2024-01-31T10:00:00.000Z");
    expect(at("2001")).toBe("2001-01-01T00:00:00.000Z");
    expect(at("2000-01")).toBe("2000-01-01T00:00:00.000Z");
    expect(codes("t,x\n20240131,1", options)).toEqual(["not_a_timestamp"]);
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
    expect(codes("t,x\n1e15,1", { timestamp: "t" })).toEqual(["not_a_timestamp"]);
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
