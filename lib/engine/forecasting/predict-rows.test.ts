import { expect, test } from "vitest";
import { fitModel } from "#lib/engine/training/fit-model";
import { load, number } from "#testing/sales-model";

const DAY = 86_400_000;
const days = (from: number, count: number) => ({
  rowCount: count,
  columns: [
    {
      name: "day",
      type: "timestamp" as const,
      values: Float64Array.from({ length: count }, (_, row) => (from + row) * DAY),
    },
  ],
});

test("rows that build on each other leave the thread to other work, however many they are", async () => {
  const known = days(0, 120);
  const sales = number(
    "sales",
    Array.from({ length: 120 }, (_, row) => 50 + (row % 7)),
  );
  const model = await load(
    await fitModel({
      table: { rowCount: 120, columns: [...known.columns, sales] },
      target: "sales",
      timestamp: "day",
      request: { algorithm: "ridge", features: { lags: [1], calendar: false } },
    }),
  );
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  const { predictions } = await model.predict(days(120, 100_000));
  clearImmediate(next);
  expect(predictions).toHaveLength(100_000);
  expect(turns).toBeGreaterThan(2);
});
