import { describe, expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { TrainingCancelled, TrainingImpossible } from "#lib/engine/learners/training-errors";
import { numericValues, withColumn } from "#lib/engine/table/columns";
import { load, number, sales, series } from "#testing/sales-model";
import type { FitInput } from "./fit-input.ts";
import { fitModel } from "./fit-model.ts";

const powers = (rows: number, times: number) => Float64Array.from({ length: rows }, (_, i) => i * times);

describe("data that is small or poor", () => {
  test.each([24, 40, 120])("%i daily rows train", async (rows) => {
    const { summary, files } = await fitModel(series(sales(rows)));
    expect(summary.trainingMetrics.validation!.rmse).toBeTypeOf("number");
    expect(summary.horizon).toBeLessThanOrEqual(summary.validationRows);
    expect(files.has("history.bin")).toBe(true);
  });

  test("drops constant and empty columns, and imputes missing values if training had some", async () => {
    const rows = 200;
    const table = sales(rows);
    const temp = numericValues(table, "temp").map((value, i) => (i % 9 === 0 ? Number.NaN : value));
    const poor: Table = {
      rowCount: rows,
      columns: [
        ...withColumn(table, number("temp", temp)).columns,
        number("constant", new Float64Array(rows).fill(3)),
        number("empty", new Float64Array(rows).fill(Number.NaN)),
      ],
    };
    for (const algorithm of ["gradient_boosting", "ridge"] as const) {
      const model = await load(await fitModel(series(poor, { algorithm })));
      expect(model.inputFeatures.map(({ name }) => name)).toEqual(["day", "temp", "kind", "open"]);
      expect(model.inputFeatures[1]).toMatchObject({ missingAllowed: true, missing: 23 });
      const { predictions } = await model.predict(poor);
      expect(predictions.every(Number.isFinite)).toBe(true);
    }
  });

  test.each(["gradient_boosting", "ridge"] as const)(
    "%s imputes on request a number that no training row lacked",
    async (algorithm) => {
      const table = sales(120);
      const gaps = numericValues(table, "temp").map((value, i) => (i % 9 === 0 ? Number.NaN : value));
      const model = await load(await fitModel(series(table, { algorithm, features: { impute: "mean" } })));
      expect(model.inputFeatures.map(({ name, missingAllowed }) => [name, missingAllowed])).toEqual([
        ["day", false],
        ["temp", true],
        ["kind", false],
        ["open", false],
      ]);
      const { predictions } = await model.predict(withColumn(table, number("temp", gaps)));
      expect(predictions.every(Number.isFinite)).toBe(true);
    },
  );

  test.each(["regression", "classification"] as const)(
    "back-tests each candidate of a %s on every fold if the only input varies in one row",
    async (task) => {
      const rows = 40;
      const columns = [
        number(
          "rare",
          Float64Array.from({ length: rows }, (_, i) => (i === 5 ? 1 : 0)),
        ),
        number(
          "y",
          Float64Array.from({ length: rows }, (_, i) => (task === "classification" ? i % 2 : (7 * i) % 11)),
        ),
      ];
      const { summary } = await fitModel({
        table: { rowCount: rows, columns },
        target: "y",
        timestamp: null,
        request: { task, validation: { order: "random" } },
      });
      for (const { backTest } of summary.leaderboard) expect(backTest!.mean).toBeTypeOf("number");
    },
  );

  test("supports columns with unusual names", async () => {
    const table = sales(120);
    const renamed: Table = {
      rowCount: table.rowCount,
      columns: table.columns.map((column) =>
        column.name === "temp" ? { ...column, name: "__proto__" } : column,
      ),
    };
    const model = await load(await fitModel(series(renamed)));
    expect(model.inputFeatures.map(({ name }) => name)).toContain("__proto__");
    const { contributions } = await model.predict(renamed, { include: { contributions: true } });
    expect(contributions!.features).toContain("__proto__");
  });

  const without = (table: Table, name: string): Table => ({
    ...table,
    columns: table.columns.filter((column) => column.name !== name),
  });
  test.each([
    ["too few rows", { ...series(sales(9)) }, /9 rows .* at least 10/],
    ["a missing target", { ...series(sales(50)), target: "profit" }, /no column "profit"/],
    ["a target of text", { ...series(sales(50)), target: "kind" }, /must hold numbers/],
    [
      "a constant target without a series",
      {
        ...series(without(withColumn(sales(50), number("sales", new Float64Array(50).fill(2))), "day")),
        timestamp: null,
      },
      /same value/,
    ],
    ["a missing timestamp column", { ...series(sales(50)), timestamp: "when" }, /no timestamp column "when"/],
    [
      "nothing to learn from",
      {
        table: {
          rowCount: 50,
          columns: [
            number(
              "sales",
              Array.from({ length: 50 }, (_, i) => i),
            ),
          ],
        },
        target: "sales",
        timestamp: null,
      },
      /No input column/,
    ],
    [
      "irregular times of one day without inputs",
      {
        table: {
          rowCount: 50,
          columns: [
            {
              name: "day",
              type: "timestamp",
              values: Float64Array.from({ length: 50 }, (_, i) => 1_000 * i ** 2),
            },
            number("sales", powers(50, 3)),
          ],
        },
        target: "sales",
        timestamp: "day",
      },
      /No input column varies, .* calendar features need at least two days/,
    ],
    [
      "lags without a series",
      {
        table: without(sales(50), "day"),
        target: "sales",
        timestamp: null,
        request: { features: { lags: [1] } },
      },
      /Lags .* no timestamp/,
    ],
    [
      "a target beyond 32 bits",
      series(withColumn(sales(50), number("sales", powers(50, 1e200)))),
      /Row \d+, column "sales": .* exceeds the largest supported magnitude/,
    ],
    [
      "a column beyond 32 bits",
      series(withColumn(sales(50), number("temp", powers(50, -1e306)))),
      /Row \d+, column "temp": -/,
    ],
    [
      "a time years before the other seconds",
      {
        table: withColumn(sales(50), {
          name: "day",
          type: "timestamp",
          values: powers(50, 1_000).map((time, row) => time + (row > 0 ? Date.UTC(1974, 0, 1) : 0)),
        }),
        target: "sales",
        timestamp: "day",
      },
      /from 1970-01-01T00:00:00.000Z to 1974-01-01T00:00:49.000Z span 126,230,450 seconds; .* at most 50,000,000 steps/,
    ],
    ["a lag that sees the present", series(sales(50), { features: { lags: [0] } }), /look back/],
  ] satisfies [string, FitInput, RegExp][])("rejects with the reason: %s", async (_, input, reason) => {
    await expect(fitModel(input)).rejects.toThrow(TrainingImpossible);
    await expect(fitModel(input)).rejects.toThrow(reason);
  });

  test("stops when cancelled", async () => {
    let checks = 0;
    const options = { shouldStop: () => ++checks > 5 };
    await expect(fitModel(series(sales(300)), options)).rejects.toThrow(TrainingCancelled);
  });
});
