import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { fitModel } from "./fit-model.ts";

/** Rows of 500 shops. Each shop has its own level of the target, over a range of `levels`, plus noise of 0 to 1. */
function shops(rows: number, levels: number): Table {
  const random = seededRandom(5);
  const level = Float64Array.from({ length: 500 }, () => levels * random.next());
  const codes = Int32Array.from({ length: rows }, () => random.below(500));
  return {
    rowCount: rows,
    columns: [
      { name: "shop", type: "category", categories: Array.from(level, (_, i) => `shop ${i}`), codes },
      { name: "noise", type: "number", values: Float64Array.from(codes, () => random.next()) },
      { name: "y", type: "number", values: Float64Array.from(codes, (code) => level[code]! + random.next()) },
    ],
  };
}

test("learns nothing from 500 irrelevant categories, in training and on held-out rows", async () => {
  const { summary } = await fitModel({
    table: shops(4_000, 0),
    target: "y",
    timestamp: null,
    request: { algorithm: "gradient_boosting" },
  });
  expect(summary.trainingMetrics.validation?.r2).toBeGreaterThan(-0.05);
  expect(summary.trainingMetrics.train?.r2).toBeLessThan(0.15);
});

test.each(["gradient_boosting", "ridge"] as const)(
  "learns from 500 relevant categories: %s",
  async (algorithm) => {
    const { summary } = await fitModel({
      table: shops(8_000, 4),
      target: "y",
      timestamp: null,
      request: { algorithm, hyperparameters: { rounds: 100 } },
    });
    // The noise has variance 1/12, the levels 16/12: 0.94 is the maximum.
    expect(summary.trainingMetrics.validation?.r2).toBeGreaterThan(0.85);
  },
);
