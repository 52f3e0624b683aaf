import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { numericValues } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { createGrid } from "./grid.ts";
import {
  proposeResampling,
  resampleSeries,
  resampleTable,
  resamplingGrid,
  stepOfSeries,
} from "./resample.ts";

const names = { timestamp: "at", target: "y" };
const at = (...times: string[]): Column => ({
  name: "at",
  type: "timestamp" as const,
  values: Float64Array.from(times, (time) => Date.parse(time)),
});
const numbers = (name: string, ...values: number[]): Column => ({
  name,
  type: "number" as const,
  values: Float64Array.from(values),
});
const iso = (table: Table) =>
  Array.from(numericValues(table, "at"), (time) => new Date(time).toISOString().slice(0, 16));
const hourly = (statistic: "sum" | "mean" | "last") => ({
  calendar: null,
  resample: { frequency: "PT1H", statistic },
});

describe("resampleSeries", () => {
  const table: Table = {
    rowCount: 5,
    columns: [
      at(
        "2024-01-01T11:20Z",
        "2024-01-01T09:03Z",
        "2024-01-01T09:58Z",
        "2024-01-01T09:30Z",
        "2024-01-01T11:05Z",
      ),
      numbers("y", 8, 1, Number.NaN, 3, 5),
      numbers("temp", 2, 10, 14, 12, 4),
      { name: "open", type: "boolean", values: Float64Array.of(1, 0, 1, 0, 0) },
      { name: "city", type: "category", codes: Int32Array.of(0, 1, -1, 0, 1), categories: ["Bonn", "Köln"] },
    ],
  };

  it.each([
    ["sum", [4, 13], [12, 3]],
    ["mean", [2, 6.5], [12, 3]],
    ["last", [3, 8], [14, 2]],
  ] as const)("joins the rows of an hour: %s of the target, rules for the inputs", (statistic, y, temp) => {
    const joined = resampleSeries(table, names, "UTC", hourly(statistic));
    expect(iso(joined)).toEqual(["2024-01-01T09:00", "2024-01-01T11:00"]);
    expect([...numericValues(joined, "y")]).toEqual(y);
    expect([...numericValues(joined, "temp")]).toEqual(temp);
    expect([...numericValues(joined, "open")]).toEqual([1, 1]);
    const city = joined.columns[4] as Extract<Column, { type: "category" }>;
    expect(Array.from(city.codes, (code) => city.categories[code])).toEqual(["Bonn", "Bonn"]);
  });

  it("computes the hour column of a joined timestamp from the step", () => {
    const columns = { ...names, hours: "hr" };
    const withHours = { ...table, columns: [...table.columns, numbers("hr", 11.3, 9.05, 9.9, 9.5, 11.1)] };
    const joined = resampleSeries(withHours, columns, "Europe/Berlin", hourly("sum"));
    expect([...numericValues(joined, "hr")]).toEqual([10, 12]);
  });

  it("joins a weekend with its Friday in a calendar of business days", () => {
    const days: Table = {
      rowCount: 4,
      columns: [at("2024-01-05", "2024-01-06", "2024-01-07", "2024-01-08"), numbers("y", 1, 2, 4, 8)],
    };
    const resample = { frequency: "P1D", statistic: "sum" as const };
    const joined = resampleSeries(days, names, "UTC", { calendar: "business", resample });
    expect(iso(joined)).toEqual(["2024-01-05T00:00", "2024-01-08T00:00"]);
    expect([...numericValues(joined, "y")]).toEqual([7, 8]);
  });
});

describe("resampleTable", () => {
  const instants = fc.array(fc.integer({ min: Date.UTC(2023, 0), max: Date.UTC(2025, 0) }), {
    minLength: 1,
    maxLength: 60,
  });
  const frequency = fc.constantFrom(
    "PT15M",
    "PT1H",
    "PT5H",
    "P1D",
    "P1B",
    "P3D",
    "P7D",
    "P14D",
    "P1M",
    "P3M",
    "P1Y",
  );
  const timezone = fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kolkata", "America/Santiago");

  it("keeps the sum, is idempotent, ignores the order of rows, and joins later rows to the same grid", () => {
    fc.assert(
      fc.property(instants, frequency, timezone, fc.nat(59), (times, step, zone, cut) => {
        const distinct = [...new Set(times)];
        const table: Table = {
          rowCount: distinct.length,
          columns: [
            { name: "at", type: "timestamp", values: Float64Array.from(distinct) },
            numbers("y", ...distinct.map((_, row) => row + 1)),
          ],
        };
        const join = (one: Table) =>
          resampleTable(one, names, resamplingGrid(Math.min(...numericValues(one, "at")), step, zone), "sum");
        const joined = join(table);
        const total = (one: Table) => numericValues(one, "y").reduce((sum, value) => sum + value, 0);
        expect(total(joined)).toBe(total(table));
        expect(join(joined)).toEqual(joined);
        expect(join(takeRows(table, [...distinct.keys()].reverse()))).toEqual(joined);
        const kept = numericValues(joined, "at");
        const grid = createGrid(resamplingGrid(kept[0]!, step, zone));
        expect([...kept].map((time) => grid.timeAt(grid.indexOf(time)))).toEqual([...kept]);
        // Rows that begin with a later step are joined as they are among all rows.
        const from = kept[cut % kept.length]!;
        const later = [...distinct.keys()].filter((row) => distinct[row]! >= from);
        const part = resampleTable(
          takeRows(table, later),
          names,
          resamplingGrid(kept[0]!, step, zone),
          "sum",
        );
        expect([...numericValues(part, "at")]).toEqual([...kept].filter((time) => time >= from));
      }),
    );
  });
});

describe("stepOfSeries", () => {
  const weekdays = Array.from({ length: 30 }, (_, day) => Date.UTC(2024, 0, 1 + day)).filter(
    (day) => new Date(day).getUTCDay() % 6 !== 0,
  );
  const saturday = Date.UTC(2024, 0, 13);
  const step = (times: number[], calendar: "business" | "all-days" | null) =>
    stepOfSeries(Float64Array.from(times.toSorted((a, b) => a - b)), "UTC", { calendar, resample: null });

  it("detects business days, and takes the calendar that is set", () => {
    expect(step(weekdays, null)).toBe("P1B");
    expect(step([...weekdays, saturday], null)).toBe("P1D");
    expect(step([...weekdays, saturday], "business")).toBe("P1B");
    expect(step(weekdays, "all-days")).toBe("P1D");
  });

  it("applies the calendar only to days", () => {
    expect(step([0, 3_600_000, 7_200_000], "business")).toBe("PT1H");
  });
});

describe("proposeResampling", () => {
  const minutes = (...times: number[]) => Float64Array.from(times, (time) => time * 60_000);

  it("proposes the nearest step for jittered, irregular and repeated times", () => {
    expect(proposeResampling(minutes(3, 61, 118, 182, 241), "UTC")).toBe("PT1H");
    expect(proposeResampling(minutes(0, 7, 900, 1500, 2900, 4300, 7000), "UTC")).toBe("P1D");
    expect(proposeResampling(minutes(0, 0, 1440, 1440, 2880, 4320), "UTC")).toBe("P1D");
  });

  it("proposes nothing for regular times and gaps", () => {
    expect(proposeResampling(minutes(0, 60, 120, 300, 360), "UTC")).toBeNull();
    expect(proposeResampling(minutes(0, 60), "UTC")).toBeNull();
  });
});
