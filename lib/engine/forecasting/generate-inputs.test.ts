import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { createGrid } from "#lib/engine/features/grid";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { numericValues } from "#lib/engine/table/columns";
import { generateInputs } from "./generate-inputs.ts";
import { GENERATED_ROWS_MAX, GenerationImpossible, type GenerationSource } from "./generation.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);

/** Hourly rows of features that each need a different forecaster. */
function source(rows: number, frequency = "PT1H", timezone = "UTC"): GenerationSource {
  const grid = { frequency, timezone, start: START };
  const { timeAt } = createGrid(grid);
  const random = seededRandom(3);
  const number = (name: string, value: (i: number) => number): Column => ({
    name,
    type: "number",
    values: Float64Array.from({ length: rows }, (_, i) => value(i)),
  });
  const history: Table = {
    rowCount: rows,
    columns: [
      { name: "at", type: "timestamp", values: Float64Array.from({ length: rows }, (_, i) => timeAt(i)) },
      number("daily", (i) => 10 * Math.sin((2 * Math.PI * i) / 24)),
      number("growing", (i) => 3 * i),
      number("noisy", () => random.next()),
      number("working", (i) => (Math.floor(i / 24) % 7 < 5 ? 1 : 0)),
      {
        name: "shift",
        type: "category",
        categories: ["night", "day"],
        codes: Int32Array.from({ length: rows }, (_, i) => (i % 24 < 8 ? 0 : 1)),
      },
      number("y", (i) => i),
    ],
  };
  const names = ["daily", "growing", "noisy", "working", "shift"];
  return {
    state: { timestamp: "at", timezone, grid, horizon: 48, lastTimestamp: null },
    inputFeatures: [
      { name: "at", role: "timestamp" },
      ...names.map((name) => ({ name, role: "input" as const })),
      { name: "elsewhere", role: "upstream" },
    ],
    history,
    heldOut: null,
  };
}

describe("generateInputs", () => {
  test("keeps planned values, continues after them, and forecasts those that are missing", () => {
    const { state, history, ...rest } = source(200);
    const lastTimestamp = START + 189 * HOUR;
    const without = (name: string, rows: readonly number[]): Column[] =>
      history!.columns.map((column) =>
        column.name === name && column.type === "number"
          ? {
              ...column,
              values: column.values.map((value, row) => (rows.includes(row) ? Number.NaN : value)),
            }
          : column,
      );
    const columns = without("growing", [191, 195, 196, 197, 198, 199]);
    const { table, forecasts } = generateInputs({
      ...rest,
      state: { ...state, lastTimestamp, horizon: 12 },
      history: { rowCount: 200, columns },
    });
    expect(numericValues(table, "at")[0]).toBe(START + 190 * HOUR);
    expect(table.rowCount).toBe(12);
    const before = numericValues(history!, "noisy").subarray(190);
    expect(numericValues(table, "noisy").subarray(0, 10)).toEqual(before);
    numericValues(table, "growing").forEach((value, at) => {
      expect(value).toBeCloseTo(3 * (190 + at), 6);
    });
    const found = Object.fromEntries(forecasts.map(({ feature, plannedRows }) => [feature, plannedRows]));
    expect(found).toMatchObject({ growing: 4, noisy: 10 });
  });

  test("continues dates in whole milliseconds, as files hold them", () => {
    const random = seededRandom(5);
    const { history, ...series } = source(200);
    const dates = Float64Array.from({ length: 200 }, () => START + 24 * HOUR * random.below(300));
    const columns: Column[] = [...history!.columns, { name: "due", type: "timestamp", values: dates }];
    const { table } = generateInputs({
      ...series,
      history: { rowCount: 200, columns },
      inputFeatures: [...series.inputFeatures, { name: "due", role: "input" }],
    });
    const { values } = table.columns.at(-1) as { values: Float64Array };
    expect(Array.from(values, Math.round)).toEqual(Array.from(values));
  });

  test("continues each feature with the method that back-tested best, and returns its error", () => {
    const { table, forecasts } = generateInputs(source(60 * 24));
    expect(table.rowCount).toBe(48);
    expect(table.columns.map(({ name }) => name)).toEqual([
      "at",
      "daily",
      "growing",
      "noisy",
      "working",
      "shift",
    ]);
    const at = 60 * 24;
    const rows = Array.from({ length: 48 }, (_, step) => at + step);
    expect([...numericValues(table, "at")]).toEqual(rows.map((i) => START + i * HOUR));
    numericValues(table, "daily").forEach((value, step) => {
      expect(value).toBeCloseTo(10 * Math.sin((2 * Math.PI * (at + step)) / 24), 6);
    });
    numericValues(table, "growing").forEach((value, step) => {
      expect(value).toBeCloseTo(3 * (at + step), 6);
    });
    expect([...numericValues(table, "working")]).toEqual(
      rows.map((i) => (Math.floor(i / 24) % 7 < 5 ? 1 : 0)),
    );
    expect(table.columns.at(-1)).toMatchObject({ codes: Int32Array.from(rows, (i) => (i % 24 < 8 ? 0 : 1)) });
    const method = (feature: string) => forecasts.find((forecast) => forecast.feature === feature)!;
    expect(method("growing").method).toBe("drift");
    expect(method("working").error).toBe(0);
    expect(method("noisy").error).toBeGreaterThan(0.2);
    expect(method("noisy").method).toContain("profile");
    expect(forecasts.every(({ origins }) => origins >= 1)).toBe(true);
  });

  test("generates rows from the next step up to and including the end date, on any grid", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("PT15M", "PT1H", "P1D", "P7D", "P1M"),
        fc.constantFrom("UTC", "Europe/Berlin", "America/New_York"),
        fc.integer({ min: 1, max: 60 }),
        (frequency, timezone, steps) => {
          const from = source(80, frequency, timezone);
          const grid = createGrid(from.state.grid!);
          const endDate = grid.timeAt(80 + steps - 1);
          const { table } = generateInputs(from, { endDate });
          const times = numericValues(table, "at");
          expect(times).toEqual(Float64Array.from({ length: steps }, (_, step) => grid.timeAt(80 + step)));
          expect(generateInputs(from, { endDate: endDate + 1 }).table.rowCount).toBe(steps);
          for (const column of table.columns) {
            const values = column.type === "category" ? column.codes : column.values;
            expect(
              values.every((value) => Number.isFinite(value) && (column.type !== "category" || value >= 0)),
            ).toBe(true);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test("handles gaps, missing values and a series that starts late", () => {
    const from = source(40 * 24);
    const history: Table = {
      rowCount: from.history!.rowCount,
      columns: from.history!.columns.map((column) =>
        column.name === "daily" && column.type === "number"
          ? {
              ...column,
              values: column.values.map((value, i) => (i < 300 || i % 5 === 0 ? Number.NaN : value)),
            }
          : column,
      ),
    };
    const { table } = generateInputs({ ...from, history });
    numericValues(table, "daily").forEach((value, step) => {
      expect(value).toBeCloseTo(10 * Math.sin((2 * Math.PI * step) / 24), 6);
    });
  });

  test.each([
    ["end_date_not_after_last", source(100), { endDate: START + 99 * HOUR }],
    ["too_many_rows", source(100), { endDate: START + (100 + GENERATED_ROWS_MAX) * HOUR }],
    ["no_frequency", { ...source(100), state: { ...source(100).state, grid: null } }, {}],
    ["no_rows", { ...source(100), history: null }, {}],
    ["no_rows", { ...source(100), state: { ...source(100).state, timestamp: null } }, {}],
    // A damaged file may name a time before all of its rows.
    ["no_rows", { ...source(100), state: { ...source(100).state, lastTimestamp: START - 1e9 } }, {}],
  ] as [string, GenerationSource, { endDate?: number }][])(
    "throws GenerationImpossible: %s",
    (code, from, options) => {
      expect(() => generateInputs(from, options)).toThrow(GenerationImpossible);
      expect(() => generateInputs(from, options)).toThrow(expect.objectContaining({ code }));
    },
  );

  test("returns the held-out rows without a timestamp", () => {
    const from = source(100);
    const heldOut = from.history;
    const { table, forecasts } = generateInputs({
      ...from,
      state: { ...from.state, timestamp: null, grid: null },
      history: null,
      heldOut,
    });
    expect(table.columns.map(({ name }) => name)).toEqual(["daily", "growing", "noisy", "working", "shift"]);
    expect(table.rowCount).toBe(100);
    expect(forecasts).toEqual([]);
  });
});
