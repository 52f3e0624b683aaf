import { describe, expect, it } from "vitest";
import { createKey, createProject } from "#testing/api";
import { putDataset } from "#testing/csv-entry-points";
import { createTestDatabase } from "#testing/postgres";
import { base64 } from "#testing/scenario-factory";

await createTestDatabase();
const { id: projectId } = await createProject();
const project = { projectId, as: await createKey({ projectId }) };

const put = (lines: string[], settings: object) =>
  putDataset(project, { fileData: base64(lines.join("\n")), ...settings });

/** `row column value code` of each detail. */
async function issues(lines: string[], settings: object): Promise<string[]> {
  const { error } = await put(lines, settings);
  expect(error?.code).toBe("input_invalid");
  return error!.details!.map(({ row, column, value, code }) => `${row} ${column} ${value} ${code}`);
}

describe("PUT dataset rejects, with every issue,", () => {
  it("unknown columns, each with its field and the nearest name", async () => {
    const { error } = await put(["day,temp,load", "2024-01-01,1,2"], {
      target: "laod",
      timestamp: ["Day", "hour"],
      exclude: ["tmp"],
      categories: ["temp", "sky"],
    });
    expect(error).toMatchObject({ code: "validation_failed", message: expect.stringContaining('"load"') });
    expect(error!.details!.map(({ field, column, code, nearest }) => [field, column, code, nearest])).toEqual(
      [
        ["target", "laod", "unknown_column", "load"],
        ["timestamp", "Day", "unknown_column", "day"],
        ["timestamp", "hour", "unknown_column", undefined],
        ["exclude", "tmp", "unknown_column", "temp"],
        ["categories", "sky", "unknown_column", undefined],
      ],
    );
  });

  it("hundreds of unknown names: a hundred listed, the others counted", async () => {
    const exclude = Array.from({ length: 250 }, (_, at) => `column number ${at}`);
    const { error } = await put(["temp,load", "1,2"], { target: "load", exclude });
    expect(error!.details).toHaveLength(101);
    expect(error!.details!.at(-1)).toEqual({ code: "more", message: "150 more issues are not listed" });
  });

  it("an unknown time zone, and contradictory settings", async () => {
    const { error } = await put(["day,load", "2024-01-01,1"], {
      target: "load",
      timestamp: ["day", "day"],
      exclude: ["load"],
      timezone: "Europe/Atlantis",
    });
    expect(error).toMatchObject({ code: "validation_failed" });
    expect(error!.details!.map(({ field }) => field)).toEqual(["timestamp", "exclude", "timezone"]);
  });

  it.each([
    ["texts of 3 classes", ["day,load", "2024-01-01,low", "2024-01-02,high", "2024-01-03,none"]],
    ["texts of 1 class", ["day,load", "2024-01-01,low", "2024-01-02,low"]],
    ["timestamp values", ["day,load", "2024-01-01,2024-01-01", "2024-01-02,2024-01-02"]],
    ["no values", ["day,load", "2024-01-01,", "2024-01-02,"]],
  ])("a target that holds %s", async (what, lines) => {
    const { error } = await put(lines, { target: "load", timestamp: "day" });
    expect(error).toMatchObject({
      code: "input_invalid",
      message: expect.stringMatching(what.replace("holds ", "")),
    });
    expect(error!.details).toMatchObject([
      { row: null, column: "load", expected: "a column of numbers or of two classes" },
    ]);
  });

  it("dates and hours that cannot be joined: a time in the date, no hour of a day", async () => {
    const settings = { target: "load", timestamp: ["day", "hr"] };
    expect(
      await issues(
        ["day,hr,load", "2024-01-01,24,5", "2024-01-01,1.5,5", "2024-01-01,,5", "2024-01-01T05:00,5,5"],
        settings,
      ),
    ).toEqual([
      "1 hr 24 invalid_hour",
      "2 hr 1.5 invalid_hour",
      "3 hr null missing_value",
      "4 day 2024-01-01T05:00:00.000Z not_a_timestamp",
    ]);
  });

  it("hours that daylight saving time skips, and times outside of the supported years", async () => {
    const settings = { target: "load", timestamp: "day" };
    expect(
      await issues(["day,load", "2024-03-31 02:30,1", "2024-03-31 03:30,1"], {
        ...settings,
        timezone: "Europe/Berlin",
      }),
    ).toEqual(["1 day 2024-03-31T02:30:00 time_not_in_timezone"]);
    expect(await issues(["day,load", "1000-01-01,1"], { ...settings, timezone: "Asia/Tokyo" })).toEqual([
      "1 day 1000-01-01T00:00:00 invalid_date",
    ]);
  });

  it("every bad value, the first hundred by row and the rest as a number", async () => {
    const lines = ["temp,load", ...Array.from({ length: 300 }, (_, at) => (at < 160 ? "1,1" : "x,1e999"))];
    const { error } = await put(lines, { target: "load" });
    expect(error!.message).toContain("280 issues");
    expect(error!.details!.slice(0, 2)).toMatchObject([
      { row: 161, column: "temp", value: "x" },
      { row: 161, column: "load", value: "1e999", code: "number_out_of_range" },
    ]);
    expect(error!.details!.slice(99)).toMatchObject([
      { row: 210 },
      { message: "180 more issues are not listed" },
    ]);
  });
});

describe("PUT dataset accepts, with a warning,", () => {
  it.each([
    ["a target that is always the same", ["temp,load", "1,5", "2,5"], [["constant_target", "load"]]],
    [
      "one row",
      ["temp,load", "1,5"],
      [
        ["constant_column", "temp"],
        ["constant_target", "load"],
      ],
    ],
    ["a column without values", ["temp,load", ",1", ",2"], [["empty_column", "temp"]]],
  ])("%s", async (_, lines, warnings) => {
    const { data } = await put(lines, { target: "load" });
    expect(data.warnings.map(({ code, column }) => [code, column])).toEqual(warnings);
  });

  it("the years 1000 to 9999, each instant as ISO 8601 in UTC", async () => {
    const settings = { target: "load", timestamp: "day" };
    const { data } = await put(["day,load", "1000-01-01T00:00Z,1", "9999-12-31T23:59:59.999Z,2"], settings);
    expect([data.firstTimestamp, data.lastTimestamp]).toEqual([
      "1000-01-01T00:00:00.000Z",
      "9999-12-31T23:59:59.999Z",
    ]);
  });
});
