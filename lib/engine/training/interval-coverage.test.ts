import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { loadModel } from "#lib/engine/inference/load-model";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { numericValues } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { fitModel } from "./fit-model.ts";

const HOUR = 3_600_000;

/** Hourly values with daily and yearly seasonality; the variance grows with the level. */
function hourly(rows: number): Table {
  const random = seededRandom(11);
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const at = (value: (i: number) => number) => Float64Array.from({ length: rows }, (_, i) => value(i));
  const warmth = at((i) => 10 - 8 * Math.cos(i / 1400) + 2 * gaussian());
  const level = (i: number) => 100 + 5 * warmth[i]! + 60 * (1 + Math.sin((2 * Math.PI * (i % 24)) / 24));
  return {
    rowCount: rows,
    columns: [
      { name: "at", type: "timestamp", values: at((i) => Date.UTC(2023, 0, 1) + i * HOUR) },
      { name: "warmth", type: "number", values: warmth },
      { name: "y", type: "number", values: at((i) => level(i) * (1 + 0.08 * gaussian())) },
    ],
  };
}

test("90% intervals cover 88 to 93% of later hours, and the reported coverage is close to that", async () => {
  const table = hourly(8_000);
  const { files, summary } = await fitModel({
    table: sliceRows(table, 0, 6_000),
    target: "y",
    timestamp: "at",
    request: { algorithm: "ridge", horizon: 24 },
  });

  // With 600 rows, chance moves the coverage by one or two percentage points.
  expect(summary.coverage).toBeGreaterThan(0.86);
  expect(summary.coverage).toBeLessThan(0.94);
  const model = await loadModel(async (name) => files.get(name)!);
  const later = sliceRows(table, 6_000);
  const { intervals } = await model.predict(later, { include: { intervals: true }, history: table });
  const { lower, upper } = intervals!;
  const inside =
    [...numericValues(later, "y")].filter((y, i) => y >= lower[i]! && y <= upper[i]!).length / 2_000;

  expect(inside).toBeGreaterThan(0.88);
  expect(inside).toBeLessThan(0.93);
});
