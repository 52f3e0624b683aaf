import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { fitModel } from "#lib/engine/training/fit-model";
import { load, number } from "#testing/sales-model";

const MINUTE = 60_000;

const timesOnly = (times: Float64Array): Table => ({
  rowCount: times.length,
  columns: [{ name: "time", type: "timestamp", values: times }],
});

test.each(["ets", "seasonal_naive"] as const)(
  "%s predicts a row more than 2 ** 31 steps ahead like the far rows before it",
  async (algorithm) => {
    const rows = 200;
    const { columns } = timesOnly(
      Float64Array.from({ length: rows }, (_, i) => Date.UTC(2024, 0, 1) + i * MINUTE),
    );
    const values = Float64Array.from({ length: rows }, (_, i) => 20 + 5 * Math.sin(i / 9) + (i % 3));
    const fitted = await fitModel({
      table: { rowCount: rows, columns: [...columns, number("y", values)] },
      target: "y",
      timestamp: "time",
      request: { algorithm, horizon: 10 },
    });
    const model = await load(fitted);
    const far = timesOnly(Float64Array.of(Date.UTC(5000, 0, 1), Date.UTC(9999, 11, 31)));
    const { predictions, intervals, warnings } = await model.predict(far, { include: { intervals: true } });
    expect(predictions[1]).toBe(predictions[0]);
    expect(Number.isFinite(predictions[1])).toBe(true);
    expect(intervals!.upper[1]).toBeGreaterThan(intervals!.upper[0]!);
    expect(warnings.find(({ code }) => code === "beyond_horizon")).toMatchObject({ rows: 2 });
  },
);
