import { describe, expect, it } from "vitest";
import type { ExpectedFeature } from "#lib/engine/csv/check-against";
import { previewCsv } from "./preview-csv.ts";
import type { Reading } from "./reading.ts";

const fileOf = (text: string) => new Blob([text]);
const format = { timestampColumns: ["day"], timezone: "UTC", dateOrder: null, missing: [] };
const features: ExpectedFeature[] = [
  { name: "day", type: "timestamp", role: "timestamp", required: true, min: 0, max: 1 },
  { name: "temp", type: "number", role: "input", required: true, missingAllowed: true, min: 0, max: 30 },
  { name: "site", type: "category", role: "input", required: true, categories: ["north", "south"] },
];
const rows = (count: number) =>
  Array.from({ length: count }, (_, row) => {
    const day = new Date(Date.UTC(2024, 0, 1 + row)).toISOString().slice(0, 10);
    return `${day},${row % 4 === 3 ? "" : row},${["north", "south", "east"][row % 3]}\n`;
  });
const text = (count: number) => `day,temp,site\n${rows(count).join("")}`;

describe("previewCsv", () => {
  it("reports each column, the frequency and the first rows of a file of any length", async () => {
    const preview = await previewCsv(fileOf(text(400)), { options: { timestamp: "day" } });
    expect(preview).toMatchObject({
      header: ["day", "temp", "site"],
      rowCount: 400,
      issueCount: 0,
      frequency: "P1D",
      profile: [
        { name: "day", type: "timestamp", missing: 0, outside: null },
        { name: "temp", type: "number", min: 0, max: 398, missing: 100, outside: null },
        { name: "site", categories: ["north", "east", "south"], outside: null },
      ],
      firstRows: { rowCount: 5, columns: [{}, {}, { codes: Int32Array.of(0, 1, 2, 3, 4) }] },
    });
    const [, , site] = preview.firstRows.columns;
    expect(site).toMatchObject({ categories: ["north", "south", "east", "north", "south"] });
  });

  it("proposes columns of years and their parts as the times", async () => {
    const lines = Array.from(
      { length: 24 },
      (_, row) => `${2020 + Math.floor(row / 12)},${(row % 12) + 1},${row}`,
    );
    const propose = async (header: string, options = {}) =>
      (await previewCsv(fileOf(`${header}\n${lines.join("\n")}`), { options })).proposedTimes;
    expect(await propose("year,month,y")).toEqual(["year", "month"]);
    expect(await propose("Jahr,Monat,y")).toEqual(["Jahr", "Monat"]);
    expect(await propose("year,month,y", { timestamp: ["year", "month"] })).toBeNull();
    expect(await propose("size,month,y")).toBeNull();
    expect(await propose("year,rooms,y")).toBeNull();
  });

  it("proposes a step for irregular times, and shows the rows that it gives", async () => {
    const file = fileOf(
      "at,y\n2024-01-01T09:03,1\n2024-01-01T09:58,3\n2024-01-01T11:05,8\n2024-01-01T11:59,2\n",
    );
    const options = { timestamp: "at" };
    const irregular = await previewCsv(file, { options });
    expect(irregular).toMatchObject({ frequency: null, proposedStep: "PT1H", rowsAfterJoining: null });
    const resample = { frequency: "PT1H", statistic: "sum" as const };
    const joined = await previewCsv(file, { options, series: { calendar: null, resample, target: "y" } });
    expect(joined).toMatchObject({ rowCount: 4, rowsAfterJoining: 2, frequency: "PT1H", proposedStep: null });
    expect(joined.firstRows.columns[1]).toMatchObject({ values: Float64Array.of(4, 10) });
  });

  it("counts rows outside the known range and lists unknown categories", async () => {
    const { profile, issueCount } = await previewCsv(fileOf(text(40)), { features, format });
    expect(issueCount).toBe(0);
    expect(profile.map(({ outside }) => outside)).toEqual([
      null,
      { rows: 6, unseen: [], unseenCount: 0 },
      { rows: 13, unseen: ["east"], unseenCount: 1 },
    ]);
  });

  it("reports issues by row and column, and accepts times in any order if allowed", async () => {
    const file = fileOf(`day,temp,site\n${rows(3).reverse().join("")}2024-02-01,warm,north\n`);
    const issuesOf = async (reading: Reading) =>
      (await previewCsv(file, reading)).issues.map(({ row, column }) => [row, column]);
    expect(await issuesOf({ features, format, anyOrder: true })).toEqual([[4, "temp"]]);
    expect(await issuesOf({ features, format })).toEqual([
      [2, "day"],
      [3, "day"],
      [4, "temp"],
    ]);
  });

  it("describes the file's other columns if a feature's column is missing", async () => {
    const file = fileOf("day,celsius,site\n2024-01-01,3,north\n2024-01-02,9,south\n");
    const { unmatched } = await previewCsv(file, { features, format });
    expect(unmatched).toEqual([{ name: "celsius", type: "number", min: 3, max: 9, categories: null }]);
    expect((await previewCsv(fileOf(text(3)), { features, format })).unmatched).toEqual([]);
  });

  it("finds repeated times of a new dataset and proposes the hour's column, as the service does", async () => {
    const file = fileOf("day,hr,y\n2024-01-01,0,1\n2024-01-01,1,2\n2024-01-02,0,3\n");
    const whole = await previewCsv(file, { options: { timestamp: "day" } });
    expect(whole).toMatchObject({
      issueCount: 1,
      partColumns: ["hr"],
      issues: [{ row: 2, column: "day", code: "timestamps_duplicate" }],
    });
    const joined = await previewCsv(file, { options: { timestamp: ["day", "hr"] } });
    expect(joined).toMatchObject({ issueCount: 0, partColumns: null });
  });

  it("proposes the columns of series, and checks each series alone", async () => {
    const lines = ["A", "B"].flatMap((store) =>
      [1, 2, 3, 4].map((day) => `2024-01-0${day},${store},${day}\n`),
    );
    const options = { timestamp: "day" };
    const repeated = await previewCsv(fileOf(`day,store,y\n${lines.join("")}`), { options });
    expect(repeated).toMatchObject({ issueCount: 1, seriesCount: null, warnings: [] });
    expect(repeated.issues[0]!.message).toBe(
      "Times repeat, but the rows are 2 series by store: each of these has each time once.",
    );
    expect(repeated.issues[0]!.choices).toEqual([
      { label: "2 series by store", options: { series: ["store"] }, cells: [] },
    ]);
    const series = { target: "y", calendar: null, resample: null, seriesColumns: ["store"] };
    const reading = { options: { ...options, categories: ["store"] }, series };
    const whole = await previewCsv(fileOf(`day,store,y\n${lines.join("")}`), reading);
    expect(whole).toMatchObject({ issueCount: 0, seriesCount: 2, proposedStep: null, warnings: [] });
    const twice = await previewCsv(fileOf(`day,store,y\n${lines.join("")}${lines[0]}`), reading);
    expect(twice.issues).toMatchObject([{ row: 9, column: "day", code: "timestamps_duplicate" }]);
  });

  it("warns about the rows of a new dataset that the service sorts", async () => {
    const { issueCount, warnings } = await previewCsv(
      fileOf(`day,temp,site\n${rows(3).reverse().join("")}`),
      {
        options: { timestamp: "day" },
      },
    );
    expect(issueCount).toBe(0);
    expect(warnings).toMatchObject([{ code: "rows_unsorted", column: "day", rows: 2 }]);
  });

  it("previews the first complete rows of an oversized file if the service accepts it", async () => {
    const invalidRow = "no day,no number,north\n";
    const content = `${text(30_000)}${invalidRow}`;
    // The file arrives in these parts.
    const [at, end] = [content.indexOf("2100-"), content.length - invalidRow.length];
    const file = new Blob([content.slice(0, at + 7), content.slice(at + 7, end), content.slice(end)]);
    const longer = { features, format, mayBeLonger: true };
    const rowsBefore = content.slice(0, at).split("\n").length - 2;
    const preview = await previewCsv(file, longer, undefined, 3 * rowsBefore - 1);
    expect(preview).toMatchObject({ isWhole: false, issueCount: 0, header: ["day", "temp", "site"] });
    expect([preview.rowCount, preview.columns[0]]).toEqual([
      ...[rowsBefore, { name: "day", type: "timestamp", timeFormat: "iso", missing: 0 }],
    ]);
    const last = { isWhole: true, issueCount: 2, rowCount: 30_001 };
    for (const valuesMax of [90_002, 90_003])
      expect(await previewCsv(file, longer, undefined, valuesMax)).toMatchObject(last);
  });

  it("explains that a file has changed after it was chosen", async () => {
    const changed = new Blob(["a,b\n"]);
    changed.stream = () =>
      new ReadableStream({ pull: (controller) => controller.error(new TypeError("network error")) });
    await expect(previewCsv(changed, { options: {} })).rejects.toThrow("The file could not be read. Check");
  });

  it("rejects an oversized file if the service rejects it", async () => {
    for (const reading of [{ options: {} }, { features, format, anyOrder: true }])
      await expect(previewCsv(fileOf(text(30_000)), reading, undefined, 30_000)).rejects.toThrow(
        "more than 30,000 values",
      );
  });

  it("reports the progress of reading up to 1", async () => {
    const parts: number[] = [];
    await previewCsv(fileOf(text(30_000)), { options: {} }, (part) => parts.push(part));
    expect(parts.at(-1)).toBe(1);
    expect(parts).toEqual(parts.toSorted((a, b) => a - b));
  });
});
