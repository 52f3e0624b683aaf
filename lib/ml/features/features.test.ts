import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { numericValues } from "#lib/ml/table/columns";
import { concatTables } from "#lib/ml/table/concat";
import { sliceRows } from "#lib/ml/table/rows";
import { buildFeatures, requiredColumns } from "./build-features.ts";
import { fitPipeline, type PipelineRequest } from "./fit-pipeline.ts";
import { createGrid } from "./grid.ts";
import { checkPipeline, type FeaturePipeline, longestLookback, shortestTargetShift } from "./pipeline.ts";
import { variesAmong } from "./statistics.ts";
import { forecastOrigin, type TargetHistory } from "./target-history.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);

type Row = {
  gap: number;
  temp: number | null;
  wind?: number | null | undefined;
  sky: string | null;
  shop?: number;
  open: boolean;
  y: number;
};

const anyRow: fc.Arbitrary<Row> = fc.record({
  // Now and then two years are missing: a trend needs them.
  gap: fc.oneof(
    { weight: 24, arbitrary: fc.constantFrom(1, 1, 1, 1, 2, 5) },
    { weight: 1, arbitrary: fc.constant(17_600) },
  ),
  temp: fc.option(fc.double({ min: -40, max: 45, noNaN: true }), { freq: 8 }),
  // Zeros and the smallest numbers there are: a ratio must bear them.
  wind: fc.option(fc.oneof(fc.constantFrom(0, -0, 5e-324), fc.double({ min: -9, max: 9, noNaN: true })), {
    freq: 8,
  }),
  sky: fc.option(fc.constantFrom("clear", "rain", "__proto__"), { freq: 8 }),
  shop: fc.nat({ max: 79 }),
  open: fc.boolean(),
  y: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
});
const anyRows = fc.array(anyRow, { minLength: 5, maxLength: 60 });
const shops = Array.from({ length: 80 }, (_, i) => `shop ${i}`);
const skies = ["rain", "clear", "__proto__"];

function seriesTable(rows: Row[]): Table {
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

function request(table: Table, family: "trees" | "linear"): PipelineRequest {
  return {
    table,
    target: "y",
    timestamp: "at",
    timezone: "Europe/Berlin",
    grid: { frequency: "PT1H", timezone: "Europe/Berlin", start: START },
    inputs: ["temp", "sky", "open"],
    upstream: [],
    holidays: null,
    calendar: true,
    lags: [1, 3],
    rolling: [
      { window: 4, shift: 2, statistic: "mean" },
      { window: 3, shift: 1, statistic: "std" },
    ],
    family,
  };
}

/** With everything that can be asked for, as far as the rows allow it. */
function fullRequest(table: Table, family: "trees" | "linear"): PipelineRequest {
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

function observedHistory(table: Table, pipeline: FeaturePipeline): TargetHistory {
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

const anyFamily = fc.constantFrom("trees" as const, "linear" as const);

describe("buildFeatures", () => {
  test("gives the same bits for a batch and for its rows one by one", () => {
    fc.assert(
      fc.property(anyRows, anyFamily, (rows, family) => {
        const table = seriesTable(rows);
        const pipeline = fitPipeline(fullRequest(table, family));
        const history = observedHistory(table, pipeline);
        const batch = buildFeatures(pipeline, table, history);
        rows.forEach((_, row) => {
          const single = buildFeatures(pipeline, sliceRows(table, row, row + 1), history);
          expect(single.columns.map((column) => column[0])).toEqual(
            batch.columns.map((column) => column[row]),
          );
        });
      }),
      { numRuns: 40 },
    );
  });

  test("never lets a later row or target change the features of an earlier one", () => {
    fc.assert(
      fc.property(anyRows, anyRows, fc.nat(), anyFamily, (rows, other, at, family) => {
        const kept = 1 + (at % rows.length);
        const full = seriesTable(rows);
        const pipeline = fitPipeline(fullRequest(full, family));
        const changed = concatTables([
          sliceRows(full, 0, kept),
          seriesTable([...rows.slice(0, kept), ...other]),
        ]);
        const rewritten = sliceRows(changed, kept);
        const features = (table: Table) =>
          buildFeatures(pipeline, sliceRows(table, 0, kept), observedHistory(table, pipeline)).columns;
        const before = features(full);
        const after = features(rewritten);
        // The row's own target must not be read either: only targets of earlier rows are the same in both.
        expect(after.map((column) => column.slice(0, kept))).toEqual(
          before.map((column) => column.slice(0, kept)),
        );
        const blanked = seriesTable(rows.map((row, i) => (i < kept - 1 ? row : { ...row, y: row.y + 1 })));
        expect(features(blanked)).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });

  test("survives JSON: the pipeline read back builds the same bits", () => {
    const tried = new Set<string>();
    fc.assert(
      fc.property(anyRows, anyFamily, (rows, family) => {
        const table = seriesTable(rows);
        const pipeline = fitPipeline(fullRequest(table, family));
        const back = checkPipeline(JSON.parse(JSON.stringify(pipeline)));
        expect(back).toEqual(pipeline);
        for (const { op } of pipeline.steps) tried.add(op);
        const history = observedHistory(table, pipeline);
        expect(buildFeatures(back, table, history)).toEqual(buildFeatures(pipeline, table, history));
      }),
      { numRuns: 40 },
    );
    expect([...tried].sort()).toEqual(
      [
        ...["calendar", "combine", "difference", "holiday", "impute", "lag", "number", "onehot", "ordinal"],
        ...["rolling", "targetEncoding", "trend", "upstream"],
      ].sort(),
    );
  });

  test("counts lags on the grid: an hour that is missing leaves its lag empty, not shifted", () => {
    const row = (gap: number, y: number): Row => ({ gap, temp: 1, sky: "rain", open: true, y });
    const table = seriesTable([row(1, 10), row(1, 20), row(2, 40), row(1, 50)]);
    const pipeline = fitPipeline({
      ...request(table, "trees"),
      calendar: false,
      inputs: [],
      rolling: [],
      lags: [1],
    });
    const [lag] = buildFeatures(pipeline, table, observedHistory(table, pipeline)).columns;
    expect(lag).toEqual(Float32Array.of(Number.NaN, 10, Number.NaN, 40));
  });

  test("feeds a row only with observations before its forecast origin, and predictions from there on", () => {
    const pipeline = checkPipeline({
      version: 1,
      target: "y",
      timestamp: "at",
      timezone: "UTC",
      grid: { frequency: "PT1H", timezone: "UTC", start: START },
      steps: [{ op: "lag", steps: 1, fill: null }],
    });
    const table: Table = {
      rowCount: 8,
      columns: [
        {
          name: "at",
          type: "timestamp",
          values: Float64Array.from({ length: 8 }, (_, i) => START + i * HOUR),
        },
      ],
    };
    const history: TargetHistory = {
      firstIndex: 0,
      observed: Float64Array.from([1, 2, 3, 4, 5, 6]),
      forecast: { end: 6, horizon: 3, predicted: Float64Array.from([-1, -2, -3, -4, -5, -6, -7]) },
    };
    const [lag] = buildFeatures(pipeline, table, history).columns;
    expect([...lag!]).toEqual([Number.NaN, -1, -2, 3, -4, -5, 6, -7]);
    expect([0, 2, 3, 5, 6, 9].map((index) => forecastOrigin(index, 6, 3))).toEqual([0, 0, 3, 3, 6, 6]);
  });

  test("marks unseen and missing categories as missing for trees and as none of the columns for linear", () => {
    const table = seriesTable([
      { gap: 1, temp: 1, sky: "clear", open: true, y: 1 },
      { gap: 1, temp: 2, sky: "rain", open: true, y: 9 },
    ]);
    const unseen: Table = {
      rowCount: 2,
      columns: [{ name: "sky", type: "category", categories: ["fog", "rain"], codes: Int32Array.of(0, -1) }],
    };
    const only = { inputs: ["sky"], calendar: false, lags: [], rolling: [], grid: null };
    const trees = fitPipeline({ ...request(table, "trees"), ...only });
    const linear = fitPipeline({ ...request(table, "linear"), ...only });
    expect(buildFeatures(trees, unseen).columns).toEqual([Float32Array.of(Number.NaN, Number.NaN)]);
    expect(buildFeatures(linear, unseen).columns).toEqual([Float32Array.of(0, 0), Float32Array.of(0, 0)]);
  });
});

describe("fitPipeline", () => {
  test("leaves out constant and empty columns and names the columns it reads", () => {
    const table = seriesTable([
      { gap: 1, temp: null, sky: "clear", open: true, y: 1 },
      { gap: 1, temp: null, sky: "rain", open: true, y: 2 },
    ]);
    const pipeline = fitPipeline({ ...request(table, "trees"), calendar: false, lags: [], rolling: [] });
    expect(requiredColumns(pipeline)).toEqual(["sky"]);
  });

  test("refuses a lag or a window that would see the present", () => {
    const table = seriesTable([
      { gap: 1, temp: 1, sky: "clear", open: true, y: 1 },
      { gap: 1, temp: 2, sky: "rain", open: true, y: 9 },
    ]);
    for (const steps of [0, -1, 1.5, Number.NaN]) {
      expect(() => fitPipeline({ ...request(table, "trees"), lags: [steps] })).toThrow(/look back/);
      expect(() =>
        fitPipeline({
          ...request(table, "trees"),
          rolling: [{ window: 3, shift: steps, statistic: "mean" }],
        }),
      ).toThrow(/at least one step back/);
    }
    expect(() => fitPipeline({ ...request(table, "trees"), grid: null })).toThrow(/regular frequency/);
  });

  test("knows how far its features look back", () => {
    const table = seriesTable([
      { gap: 1, temp: 1, sky: "clear", open: true, y: 1 },
      { gap: 1, temp: 2, sky: "rain", open: true, y: 9 },
    ]);
    const pipeline = fitPipeline(request(table, "trees"));
    expect(shortestTargetShift(pipeline)).toBe(1);
    expect(longestLookback(pipeline)).toBe(5);
  });
});
