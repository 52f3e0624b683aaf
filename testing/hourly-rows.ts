import fc from "fast-check";
import type { Column, Table } from "#lib/contract/table";
import type { PipelineRequest } from "#lib/engine/features/fit-pipeline";
import { createGrid } from "#lib/engine/features/grid";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { variesAmong } from "#lib/engine/features/statistics";
import type { TargetHistory } from "#lib/engine/features/target-history";
import { numericValues } from "#lib/engine/table/columns";

export const HOUR = 3_600_000;
export const START = Date.UTC(2024, 0, 1);

export type Row = {
  gap: number;
  temp: number | null;
  wind?: number | null | undefined;
  sky: string | null;
  shop?: number;
  open: boolean;
  y: number;
};

const anyRow: fc.Arbitrary<Row> = fc.record({
  // Sometimes a gap of two years, because a trend feature needs that span.
  gap: fc.oneof(
    { weight: 24, arbitrary: fc.constantFrom(1, 1, 1, 1, 2, 5) },
    { weight: 1, arbitrary: fc.constant(17_600) },
  ),
  temp: fc.option(fc.double({ min: -40, max: 45, noNaN: true }), { freq: 8 }),
  // Zeros and the smallest positive number, because a ratio must handle them.
  wind: fc.option(fc.oneof(fc.constantFrom(0, -0, 5e-324), fc.double({ min: -9, max: 9, noNaN: true })), {
    freq: 8,
  }),
  sky: fc.option(fc.constantFrom("clear", "rain", "__proto__"), { freq: 8 }),
  shop: fc.nat({ max: 79 }),
  open: fc.boolean(),
  y: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
});
export const anyRows = fc.array(anyRow, { minLength: 5, maxLength: 60 });
const shops = Array.from({ length: 80 }, (_, i) => `shop ${i}`);
const skies = ["rain", "clear", "__proto__"];

export function seriesTable(rows: Row[]): Table {
  let hour = 0;
  const times = rows.map(({ gap }) => {
    hour += gap;
    return START + hour * HOUR;
  });
  const number = (name: string, values: (number | null)[]): Column => ({
    name,
    type: "number",
    values: Float64Array.from(values, (value) => value ?? Number.NaN),
  });
  return {
    rowCount: rows.length,
    columns: [
      { name: "at", type: "timestamp", values: Float64Array.from(times) },
      number(
        "temp",
        rows.map(({ temp }) => temp),
      ),
      {
        name: "sky",
        type: "category",
        categories: skies,
        codes: Int32Array.from(rows, ({ sky }) => (sky === null ? -1 : skies.indexOf(sky))),
      },
      number(
        "wind",
        rows.map(({ wind = 1 }) => wind),
      ),
      number(
        "demand",
        rows.map((_, row) => (row % 7) / 3),
      ),
      {
        name: "shop",
        type: "category",
        categories: shops,
        codes: Int32Array.from(rows, ({ shop }, row) => (row % 9 === 8 ? -1 : (shop ?? row))),
      },
      { name: "open", type: "boolean", values: Float64Array.from(rows, ({ open }) => (open ? 1 : 0)) },
      number(
        "y",
        rows.map(({ y }) => y),
      ),
    ],
  };
}

export function request(table: Table, family: "trees" | "linear"): PipelineRequest {
  return {
    table,
    target: "y",
    timestamp: "at",
    timezone: "Europe/Berlin",
    grid: { frequency: "PT1H", timezone: "Europe/Berlin", start: START },
    inputs: ["temp", "sky", "open"],
    upstream: [],
    calendar: true,
    lags: [1, 3],
    rolling: [
      { window: 4, shift: 2, statistic: "mean" },
      { window: 3, shift: 1, statistic: "std" },
    ],
    family,
  };
}

/** Returns a request with all options that the rows allow. */
export function fullRequest(table: Table, family: "trees" | "linear"): PipelineRequest {
  const varying = ["temp", "wind"].every((name) => variesAmong(numericValues(table, name)));
  return {
    ...request(table, family),
    inputs: ["temp", "wind", "sky", "shop", "open", "demand"],
    upstream: [{ feature: "demand", sourceProjectId: "p" }],
    combinations: varying
      ? [
          { operation: "ratio", feature: "temp", other: "wind" },
          { operation: "difference", feature: "temp", other: "wind" },
        ]
      : [],
    differences: [{ shift: 2, span: 3 }],
    holidays: { country: "DE", region: null, days: [19_723, 19_725, 19_726] },
  };
}

export function observedHistory(table: Table, pipeline: FeaturePipeline): TargetHistory {
  const { indexOf } = createGrid(pipeline.grid!);
  const times = table.columns.find(({ name }) => name === "at") as { values: Float64Array };
  const values = table.columns.find(({ name }) => name === "y") as { values: Float64Array };
  const last = indexOf(times.values.at(-1)!);
  const observed = new Float64Array(last + 1).fill(Number.NaN);
  times.values.forEach((time, row) => {
    observed[indexOf(time)] = values.values[row]!;
  });
  return { firstIndex: 0, observed };
}

export const anyFamily = fc.constantFrom("trees" as const, "linear" as const);
