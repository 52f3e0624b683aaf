import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import type { Predicted, StoredSeries } from "#lib/domain/scenarios/chunks/read-predictions";
import { parseCsv } from "#lib/engine/csv/parse";
import { writeCsv } from "#lib/engine/csv/write-csv";
import { compareScenarios } from "#lib/engine/series/compare-scenarios";
import { sliceRows, takeRows } from "#lib/engine/table/rows";
import { csvOfTable } from "#testing/csv-of-table";
import { predictionChart } from "./chart-predictions.ts";
import { predictionRows } from "./prediction-rows.ts";
import { predictionsTable } from "./predictions-table.ts";

const day = 86_400_000;

function series(values: number[], timed = true): StoredSeries {
  const prediction = Float64Array.from(values);
  return {
    timestamps: timed ? prediction.map((_, index) => index * day) : null,
    prediction,
    lower: prediction.map((value) => value - 1),
    upper: prediction.map((value) => value + 1),
  };
}

describe("predictionRows", () => {
  it("numbers rows from the first requested row, and returns null for NaN", () => {
    expect(
      predictionRows({ ...series([1, Number.NaN]), lower: null }, { shape: null }, (index) => ({
        row: 11 + index,
      })),
    ).toEqual([
      { row: 11, timestamp: "1970-01-01T00:00:00.000Z", prediction: 1, lower: null, upper: 2 },
      { row: 12, timestamp: "1970-01-02T00:00:00.000Z", prediction: null, lower: null, upper: null },
    ]);
  });
});

describe("predictionChart", () => {
  const chartOf = (stored: StoredSeries, options: Parameters<typeof predictionChart>[1]) =>
    predictionChart(
      stored,
      options,
      async (rows) => ({ lower: Float64Array.from(rows, (row) => stored.lower![row]!), upper: null }),
      compareScenarios,
      { shape: null },
    );

  it("keeps the extremes within maxPoints, with the bounds of their rows", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 4, max: 50 }),
        fc.boolean(),
        async (values, maxPoints, timed) => {
          const chart = await chartOf(series(values, timed), { maxPoints });
          expect(chart.values.length).toBeLessThanOrEqual(maxPoints);
          expect(Math.max(...(chart.values as number[]))).toBe(Math.max(...values));
          expect(Math.min(...(chart.values as number[]))).toBe(Math.min(...values));
          expect(chart.rowCount).toBe(values.length);
          expect((timed ? chart.timestamps : chart.rows)?.length).toBe(chart.values.length);
          expect(chart.lower).toEqual(chart.values.map((value) => value! - 1));
          expect(chart.upper).toEqual(chart.values.map(() => null));
        },
      ),
    );
  });

  it("includes both ends of the range", async () => {
    const chart = await chartOf(series([1, 2, 3, 4, 5]), { from: day, to: 3 * day });
    expect(chart.values).toEqual([2, 3, 4]);
    expect((await chartOf(series([1, 2, 3, 4, 5], false), { from: 2, to: 4 })).rows).toEqual([2, 3, 4]);
  });

  it("is empty outside of the series", async () => {
    expect((await chartOf(series([1, 2]), { from: 50 * day, maxPoints: 100 })).values).toEqual([]);
  });
});

describe("predictionsTable as CSV", () => {
  const input: Table = {
    rowCount: 3,
    columns: [
      { name: "prediction", type: "number", values: Float64Array.of(0.1, Number.NaN, -3) },
      {
        name: "site",
        type: "category",
        codes: Int32Array.of(0, 1, -1),
        categories: ["=HYPERLINK(1)", "a,b"],
      },
    ],
  };

  /** Splits both into parts, cycling through these sizes. */
  async function csvOf(table: Table, predicted: Predicted, blockSizes: number[], partSizes: number[]) {
    async function* blocks() {
      for (let from = 0, at = 0; from < table.rowCount; at++) {
        const to = from + blockSizes[at % blockSizes.length]!;
        yield sliceRows(table, from, to);
        from = to;
      }
    }
    let asked = 0;
    const cut = (values: Float64Array | null, from: number, size: number) =>
      values === null ? null : values.subarray(from, from + size);
    const predictedFrom = async (row: number): Promise<StoredSeries> => {
      const size = partSizes[asked++ % partSizes.length]!;
      const { prediction, lower, upper } = predicted;
      return {
        timestamps: null,
        prediction: cut(prediction, row, size)!,
        lower: cut(lower, row, size),
        upper: cut(upper, row, size),
      };
    };
    const parts = predictionsTable(blocks(), predictedFrom, { levels: [], shape: null });
    return (await Array.fromAsync(writeCsv(parts))).join("");
  }

  it("preserves input and predictions bit-identically, escapes formulas, and keeps names unique", async () => {
    const text = await csvOf(input, series([1 / 3, 2, 3], false), [3], [3]);
    expect(text).not.toMatch(/(^|,)=/m);
    const { table, header } = parseCsv(text);
    expect(header).toEqual(["prediction", "site", "prediction_2", "lower", "upper"]);
    expect(table.columns[0]).toEqual(input.columns[0]);
    expect(table.columns[2]).toMatchObject({ values: Float64Array.of(1 / 3, 2, 3) });
  });

  it("writes the same text for any split of input and predictions", async () => {
    const rowsAt = (rowCount: number) =>
      takeRows(
        input,
        Array.from({ length: rowCount }, (_, row) => (row * 7) % 3),
      );
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    const bounds = fc.constantFrom<(keyof Predicted)[]>([], ["lower"], ["lower", "upper"]);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        sizes,
        sizes,
        bounds,
        async (rowCount, blocks, parts, has) => {
          const values = Float64Array.from({ length: rowCount }, (_, row) => row / 3);
          const bound = (name: keyof Predicted) => (has.includes(name) ? values.map((one) => one - 1) : null);
          const predicted = { prediction: values, lower: bound("lower"), upper: bound("upper") };
          const names = ["prediction_2", ...has];
          const columns = [values, ...has.map(() => bound(has[0]!)!)].map(
            (values, at): Column => ({ name: names[at]!, type: "number", values }),
          );
          const table = rowsAt(rowCount);
          const whole = csvOfTable({ rowCount, columns: [...table.columns, ...columns] });
          expect(await csvOf(table, predicted, blocks, parts)).toBe(whole);
        },
      ),
    );
  });
});
