import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Cell, PredictionColumns } from "#lib/contract/prediction-columns";
import type { Column, ColumnType, Table } from "#lib/contract/table";
import { csvOptionsOfFormat, type InputFormat } from "#lib/domain/models/input-format";
import { optionsFor } from "#lib/engine/csv/check-against";
import { escapeFormula } from "#lib/engine/csv/formulas";
import { parseCsv } from "#lib/engine/csv/parse";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { inputTable } from "./input-table.ts";

function feature(name: string, type: ColumnType, role: InputFeature["role"] = "input"): InputFeature {
  const nothing = { min: null, max: null, mean: null, median: null, missing: 0, categories: null };
  return { name, type, role, required: true, missingAllowed: true, ...nothing, sourceProjectId: null };
}

const features = [
  feature("day", "timestamp", "timestamp"),
  feature("temp", "number"),
  feature("sky", "category"),
  feature("open", "boolean"),
];

function format(changes: Partial<InputFormat> = {}): InputFormat {
  return {
    version: 1,
    timestampColumns: ["day", "hour"],
    timezone: "Europe/Vienna",
    dateOrder: null,
    missing: [],
    ...changes,
  };
}

const values = (column: Column | undefined) =>
  column?.type === "category"
    ? Array.from(column.codes, (code) => column.categories[code] ?? null)
    : Array.from(column?.values ?? []);

const row = fc.record({
  day: fc
    .date({ min: new Date("1990-01-01"), max: new Date("2040-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  hour: fc.integer({ min: 3, max: 23 }),
  temp: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null)),
  sky: fc.oneof(
    fc.string().map((text) => text.trim()),
    fc.integer(),
    fc.constant(null),
  ),
  open: fc.oneof(fc.boolean(), fc.constant(null)),
});

function asCsv(rows: Record<string, Cell>[], names: string[]): string {
  const text = (value: Cell) => (Object.is(value, -0) ? "-0" : escapeFormula(String(value)));
  const cell = (value: Cell) => (value === null ? "" : `"${text(value).replaceAll('"', '""')}"`);
  return [names.join(","), ...rows.map((one) => names.map((name) => cell(one[name]!)).join(","))].join(
    "\r\n",
  );
}

function asInput(rows: Record<string, Cell>[], names: string[]): PredictionColumns {
  return Object.fromEntries(names.map((name) => [name, rows.map((one) => one[name]!)]));
}

describe("inputTable", () => {
  it("returns columns bit-identical to those of a CSV with the same values", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
        // A CSV file cannot contain NUL or a lone surrogate.
        fc.pre(
          rows.every(({ sky }) => typeof sky !== "string" || (sky.isWellFormed() && !sky.includes("\0"))),
        );
        const names = ["temp", "day", "sky", "hour", "open"];
        const csv = parseCsv(asCsv(rows, names), optionsFor(features, csvOptionsOfFormat(format())));
        expect(csv.issues).toEqual([]);
        const read = inputTable(asInput(rows, names), features, format());
        expect(read.issues.issues).toEqual([]);
        for (const { name } of features) {
          const ofCsv = csv.table.columns.find((column) => column.name === name);
          const ofInput = read.table.columns.find((column) => column.name === name);
          expect(ofInput?.type).toBe(ofCsv?.type);
          expect(values(ofInput)).toEqual(values(ofCsv));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("accepts repeated hours and rejects skipped hours at clock changes, like a CSV with the same values", () => {
    const read = (days: string[], hours: number[]) => {
      const input = { day: days, hour: hours };
      const rows = days.map((day, at) => ({ day, hour: hours[at]! }));
      const only = features.slice(0, 1);
      const csv = parseCsv(asCsv(rows, ["day", "hour"]), optionsFor(only, csvOptionsOfFormat(format())));
      const { table, issues } = inputTable(input, only, format());
      expect(values(table.columns[0])).toEqual(values(csv.table.columns[0]));
      expect(issues.issues).toEqual(csv.issues);
      return { times: values(table.columns[0]), codes: issues.issues.map(({ code }) => code) };
    };
    const twice = read(new Array(4).fill("2024-10-27"), [1, 2, 2, 3]);
    expect(twice.times).toEqual([-1, 0, 1, 2].map((hour) => Date.UTC(2024, 9, 27, hour)));
    expect(read(new Array(2).fill("2024-03-31"), [2, 3]).codes).toEqual(["time_not_in_timezone"]);
  });

  const reject = (input: PredictionColumns, changes: Partial<InputFormat> = {}) => {
    const { issues } = inputTable(input, features, format(changes));
    return issues.issues.map(({ row: at, column, code }) => [at, column, code]);
  };

  it("reports every value of the wrong type, row by row", () => {
    expect(
      reject(
        { day: ["2024-01-01", "soon"], temp: ["12", true], sky: [1, "x"], open: ["yes", 2] },
        { timestampColumns: ["day"] },
      ),
    ).toEqual([
      [1, "temp", "not_a_number"],
      [1, "open", "not_a_boolean"],
      [2, "day", "not_a_timestamp"],
      [2, "temp", "not_a_number"],
      [2, "open", "not_a_boolean"],
    ]);
  });

  it("reports every array whose length differs from the most common length", () => {
    const input = { temp: [1, 2], sky: ["x", "y"], open: [true], extra: [1, 2, 3] };
    expect(reject(input)).toEqual([
      [null, "open", "ragged_row"],
      [null, "extra", "ragged_row"],
    ]);
  });

  it("reports hours of another length only as such", () => {
    const input = { day: ["2024-07-01", "2024-07-02"], hour: [3], temp: [1, 2] };
    expect(reject(input)).toEqual([[null, "hour", "ragged_row"]]);
  });

  it("accepts complete timestamps in place of date and hour, but not a date alone", () => {
    const whole = inputTable({ day: ["2024-07-01T14:00:00Z"], temp: [1] }, features, format());
    expect(values(whole.table.columns[0])).toEqual([Date.UTC(2024, 6, 1, 14)]);
    expect(whole.issues.count).toBe(0);
    expect(reject({ day: ["2024-07-01"], temp: [1] })).toEqual([[null, "hour", "missing_column"]]);
    const partly = ["2024-07-01T14:00:00Z", null];
    expect(reject({ day: partly, temp: [1, 2] })).toEqual([[2, "day", "missing_value"]]);
    expect(reject({ day: ["2024-07-01"], hour: [25], temp: [1] })).toEqual([[1, "hour", "invalid_hour"]]);
  });

  it("keeps unknown columns, so that warnings can name them", () => {
    const { table }: { table: Table } = inputTable({ temp: [1], wind: ["strong"] }, features, format());
    expect(table.columns.map(({ name }) => name)).toEqual(["temp", "wind"]);
  });
});

describe("values in the dataset's formats", () => {
  const read = (input: PredictionColumns, names: InputFeature[], changes: Partial<InputFormat>) =>
    inputTable(input, names, format({ timestampColumns: null, timezone: "UTC", ...changes }));

  it("reads dates as ISO text and in the order of the dataset", () => {
    const features = [feature("bought", "timestamp")];
    const day = Date.UTC(2011, 1, 1);
    for (const bought of ["1/2/2011", "2011-02-01", "2011-02-01T00:00:00Z"]) {
      const { table, issues } = read({ bought: [bought, null] }, features, { dateOrder: "day-first" });
      expect(issues.issues).toEqual([]);
      expect(values(table.columns[0])).toEqual([day, Number.NaN]);
    }
    const wrong = read({ bought: ["2011-02-01", "soon"] }, features, {});
    expect(wrong.issues.issues).toMatchObject([{ row: 2, column: "bought", code: "not_a_timestamp" }]);
    expect([...wrong.faulty]).toEqual(["bought"]);
  });

  it("reads texts in a column's number format, and numbers as they are", () => {
    const numberFormats: InputFormat["numberFormats"] = [
      { column: "price", unit: "$", decimalMark: ".", groupMark: "," },
    ];
    const features = [feature("price", "number"), feature("plain", "number")];
    const input = { price: ["$1,234.50", 5, null, "-999"], plain: [1, 2, -999, 4] };
    const { table, issues } = read(input, features, { numberFormats, missing: ["-999"] });
    expect(issues.issues).toEqual([]);
    expect(values(table.columns[0])).toEqual([1234.5, 5, Number.NaN, Number.NaN]);
    expect(values(table.columns[1])).toEqual([1, 2, Number.NaN, 4]);
    const wrong = read({ price: ["€5"], plain: ["$5"] }, features, { numberFormats });
    expect(wrong.issues.issues.map(({ column, code }) => [column, code])).toEqual([
      ["price", "number_with_unit"],
      ["plain", "number_with_unit"],
    ]);
  });
});
