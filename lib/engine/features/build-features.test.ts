import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { concatTables } from "#lib/engine/table/concat";
import { sliceRows } from "#lib/engine/table/rows";
import {
  anyFamily,
  anyRows,
  fullRequest,
  HOUR,
  observedHistory,
  type Row,
  request,
  START,
  seriesTable,
} from "#testing/hourly-rows";
import { buildFeatures } from "./build-features.ts";
import { checkPipeline } from "./check-pipeline.ts";
import { fitPipeline } from "./fit-pipeline.ts";
import type { FeatureStep } from "./pipeline.ts";
import { forecastOrigin, type TargetHistory } from "./target-history.ts";

describe("buildFeatures", () => {
  test("returns the same bits for a batch and for its single rows", () => {
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
        // The row's own target must not be read either: the targets of earlier rows are the only equal ones.
        expect(after.map((column) => column.slice(0, kept))).toEqual(
          before.map((column) => column.slice(0, kept)),
        );
        const blanked = seriesTable(rows.map((row, i) => (i < kept - 1 ? row : { ...row, y: row.y + 1 })));
        expect(features(blanked)).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });

  test("builds the same bits from a pipeline that passed through JSON", () => {
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

  test("counts lags on the grid, so that a missing hour leaves its lag empty", () => {
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
    const [{ center, scale }] = pipeline.steps as [Extract<FeatureStep, { op: "lag" }>];
    const scaled = (value: number) => (value - center!) * scale!;
    expect(lag).toEqual(Float32Array.of(Number.NaN, scaled(10), Number.NaN, scaled(40)));
    const linear = fitPipeline({
      ...request(table, "linear"),
      calendar: false,
      inputs: [],
      rolling: [],
      lags: [1],
    });
    const [bridged] = buildFeatures(linear, table, observedHistory(table, linear)).columns;
    // Before the first value, the mean replaces the missing value.
    expect(bridged).toEqual(Float32Array.of(0, scaled(10), scaled(20), scaled(40)));
  });

  test("reads observations before a row's forecast origin and predictions after it", () => {
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

  test("encodes unseen and missing categories as missing for trees and as all zeros for linear models", () => {
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
