import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCsv } from "#lib/engine/csv/parse";
import { numericValues } from "#lib/engine/table/columns";
import { DomainError } from "#lib/platform/errors/domain-error";
import { buildDataset } from "./build-dataset.ts";
import { checkColumnsExist, checkSettings, csvOptionsOf, type DatasetSettings } from "./settings.ts";

function settings(changes: Partial<DatasetSettings>): DatasetSettings {
  return {
    target: "cnt",
    timestampColumns: null,
    seriesColumns: null,
    exclude: [],
    categories: [],
    timezone: "UTC",
    missing: [],
    confirmed: [],
    numberFormats: [],
    dateOrder: null,
    reading: {},
    calendar: null,
    resample: null,
    ...changes,
  };
}

function build(csv: string, changes: Partial<DatasetSettings> = {}) {
  const chosen = settings(changes);
  return buildDataset(parseCsv(csv, csvOptionsOf(chosen)), chosen);
}

function rejection(run: () => unknown): DomainError {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error("Expected an error.");
}

const hours = ["1/30/2011,22,5", "1/30/2011,23,6", "1/31/2011,0,7", "1/31/2011,2,9"];

describe("buildDataset", () => {
  it("joins date and hour into the first column, keeps the second, and finds frequency, ends and gaps", () => {
    const built = build(`dteday,hr,cnt\n${hours.join("\n")}\n`, { timestampColumns: ["dteday", "hr"] });
    expect(Array.from(numericValues(built.table, "dteday"), (ms) => new Date(ms).toISOString())).toEqual([
      "2011-01-30T22:00:00.000Z",
      "2011-01-30T23:00:00.000Z",
      "2011-01-31T00:00:00.000Z",
      "2011-01-31T02:00:00.000Z",
    ]);
    expect([...numericValues(built.table, "hr")]).toEqual([22, 23, 0, 2]);
    expect(built.columns.map(({ name, role, type }) => [name, role, type])).toEqual([
      ["dteday", "timestamp", "timestamp"],
      ["hr", "timestamp", "number"],
      ["cnt", "target", "number"],
    ]);
    expect(built.frequency).toBe("PT1H");
    expect(new Date(built.lastTimestamp!).toISOString()).toBe("2011-01-31T02:00:00.000Z");
    expect(built.warnings).toMatchObject([{ code: "gaps", column: "dteday", rows: 1 }]);
  });

  it("sorts rows by time, from any order", () => {
    const days = Array.from({ length: 20 }, (_, day) => `2024-01-${String(day + 1).padStart(2, "0")},${day}`);
    const options = { target: "y", timestampColumns: ["day"] };
    const ordered = build(`day,y\n${days.join("\n")}`, options);
    fc.assert(
      fc.property(fc.shuffledSubarray(days, { minLength: days.length }), (shuffled) => {
        const built = build(`day,y\n${shuffled.join("\n")}`, options);
        expect(built.table).toEqual(ordered.table);
        const moved = shuffled.some((day, row) => row > 0 && day < shuffled[row - 1]!);
        expect(built.warnings.some(({ code }) => code === "rows_sorted")).toBe(moved);
      }),
    );
  });

  it("rejects a duplicate time, and names both rows of the file", () => {
    const error = rejection(() =>
      build("day,cnt\n2024-01-03,1\n2024-01-01,2\n2024-01-03,3\n", { timestampColumns: ["day"] }),
    );
    expect(error.code).toBe("input_invalid");
    expect(error.details).toMatchObject([{ row: 3, column: "day", code: "timestamps_duplicate" }]);
    expect(error.details[0]!.message).toContain("row 1");
  });

  it("rejects a target that has texts of three classes or no values", () => {
    expect(rejection(() => build("x,cnt\n1,many\n2,few\n3,none\n")).message).toContain(
      "one project for each class",
    );
    expect(rejection(() => build("x,cnt\n1,\n2,\n")).message).toContain("no values");
  });

  it("lists the issues of the file, and counts those not listed", () => {
    const rows = Array.from({ length: 300 }, (_, row) => `${row},${row % 3 !== 1 ? row : "?"}`);
    const error = rejection(() => build(`x,cnt\n${rows.join("\n")}\n`));
    expect(error.code).toBe("input_invalid");
    expect(error.details).toHaveLength(100);
    expect(error.details[0]).toMatchObject({ row: 2, column: "cnt", value: "?", code: "not_a_number" });
    const more = rejection(() => build(`x,cnt\n${rows.join("\n")}\n?,?\n`));
    expect([more.details.length, more.unlisted]).toEqual([100, 2]);
  });

  it("finds no gap after a first day whose midnight the clocks skip", () => {
    const csv = ["day,cnt", ...[10, 11, 12, 13, 14].map((day) => `2024-03-${day},${day}`)].join("\n");
    const built = build(`${csv}\n`, { timestampColumns: ["day"], timezone: "America/Havana" });
    expect(built).toMatchObject({ frequency: "P1D", warnings: [] });
  });

  it("warns of constant and empty inputs and of a target with gaps, but not of excluded columns", () => {
    const built = build("a,b,c,cnt\n1,,1,1\n1,,1,\n1,,1,3\n", { exclude: ["c"] });
    expect(built.warnings.map(({ code, column }) => [code, column])).toEqual([
      ["constant_column", "a"],
      ["empty_column", "b"],
      ["target_missing", "cnt"],
    ]);
    expect(built.columns.find(({ name }) => name === "c")!.role).toBe("excluded");
  });
});

describe("checkSettings and checkColumnsExist", () => {
  it("names each unknown column with the nearest one", () => {
    const error = rejection(() =>
      checkColumnsExist(settings({ target: "cmt", exclude: ["casul"], timestampColumns: ["zzz"] }), {
        header: ["cnt", "casual"],
      }),
    );
    expect(error.code).toBe("validation_failed");
    expect(error.details).toMatchObject([{ field: "target" }, { field: "timestamp" }, { field: "exclude" }]);
    expect(error.details[0]!.message).toContain('Did you mean "cnt"?');
    expect(error.details[2]!.message).toContain('Did you mean "casual"?');
  });

  it("names each contradiction", () => {
    const wrong = settings({ timestampColumns: ["cnt", "cnt"], exclude: ["cnt"], timezone: "Mars/Olympus" });
    expect(rejection(() => checkSettings(wrong)).details.map(({ field }) => field)).toEqual([
      "timestamp",
      "timestamp",
      "exclude",
      "exclude",
      "exclude",
      "timezone",
    ]);
    expect(() => checkSettings(settings({ timezone: "Europe/Vienna" }))).not.toThrow();
  });
});
