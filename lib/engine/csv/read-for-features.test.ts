import { describe, expect, it } from "vitest";
import type { ExpectedFeature } from "./check-against.ts";
import { parseCsv } from "./parse.ts";
import { type FeatureFormat, readForFeatures } from "./read-for-features.ts";

const features: ExpectedFeature[] = [
  { name: "day", type: "timestamp", role: "timestamp", required: true },
  { name: "hr", type: "number", role: "timestamp", required: false },
  { name: "temp", type: "number", role: "input", required: true, missingAllowed: true },
  { name: "wind", type: "number", role: "upstream", required: false },
];

function read(file: string, changes: Partial<FeatureFormat> = {}) {
  const format = {
    timestampColumns: ["day", "hr"],
    timezone: "UTC",
    dateOrder: null,
    missing: [],
    ...changes,
  };
  const wanted = features.filter(({ name }) => name !== "hr" || format.timestampColumns?.includes(name));
  return readForFeatures(async (options) => parseCsv(file, options), wanted, format);
}

async function times(file: string, changes: Partial<FeatureFormat> = {}) {
  const { check, file: result } = await read(file, changes);
  expect(check.issues).toEqual([]);
  const day = result.table.columns.find(({ name }) => name === "day");
  return Array.from((day as { values: Float64Array }).values, (ms) => new Date(ms).toISOString());
}

describe("readForFeatures", () => {
  it("joins date and hour, written as numbers or times, and accepts complete times instead", async () => {
    const expected = ["2024-03-31T07:00:00.000Z", "2024-03-31T08:00:00.000Z"];
    expect(await times("day,hr,temp\n2024-03-31,7,1\n2024-03-31,8,2")).toEqual(expected);
    expect(await times("day,hr,temp\n2024-03-31,07:00,1\n2024-03-31,8:00 AM,2")).toEqual(expected);
    expect(await times("temp,day\n1,2024-03-31T07:00\n2,2024-03-31 08:00:00")).toEqual(expected);
    expect(await times('temp,day\n1,"3/31/2024, 7:00"\n2,"3/31/2024, 8:00"')).toEqual(expected);
    expect(await times("temp,day\n1,1711868400\n2,1711872000")).toEqual(expected);
  });

  it("requires the hour column if the dates have no time of day", async () => {
    for (const dates of [
      ["2024-03-31", "2024-04-01"],
      ["3/31/2024", "4/1/2024"],
      ["2024-03-31T07:00", "2024-04-01"],
      ["2024-03-31", "2024-03-31"],
    ]) {
      const { check } = await read(`temp,day\n1,${dates[0]}\n2,${dates[1]}`);
      expect(check.issues).toMatchObject([{ row: null, column: "hr", code: "missing_column" }]);
      expect(check.issueCount).toBe(1);
    }
  });

  it("accepts another date column without a time of day", async () => {
    const due: ExpectedFeature = { name: "due", type: "timestamp", role: "input", required: true };
    const format = { timestampColumns: ["day", "hr"], timezone: "UTC", dateOrder: null, missing: [] };
    const file = "day,due,temp\n2024-03-31T07:00,2024-05-01,1\n";
    const { check } = await readForFeatures(
      async (options) => parseCsv(file, options),
      [...features, due],
      format,
    );
    expect(check.issues).toEqual([]);
  });

  it("reads dates, zones and missing values with the settings of the training data", async () => {
    const format: Partial<FeatureFormat> = {
      timestampColumns: ["day"],
      dateOrder: "day-first",
      timezone: "Europe/Berlin",
      missing: ["NA"],
    };
    expect(await times("day,temp\n3/4/2024 12:00,NA\n4/4/2024 12:00,1", format)).toEqual([
      "2024-04-03T10:00:00.000Z",
      "2024-04-04T10:00:00.000Z",
    ]);
    const { check } = await read("day,temp\n3/4/2024 12:00,NA\n", { timestampColumns: ["day"] });
    expect(check.issues.map(({ code }) => code)).toEqual(["ambiguous_date", "not_a_number"]);
  });

  it("rejects an unsorted series, and reports a missing column once", async () => {
    const { check } = await read("day,temp\n2024-03-31T08:00,1\n2024-03-31T07:00,2\n");
    expect(check.issues).toMatchObject([{ row: 2, column: "day", code: "timestamps_unsorted" }]);
    const absent = await read("date,tmp\n2024-03-31,1\n");
    expect(absent.check.issues.map(({ column, nearest }) => [column, nearest])).toEqual([
      ["day", undefined],
      ["temp", "tmp"],
    ]);
  });
});
