import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { fitModel } from "./fit-model.ts";

/** Rows of 500 shops, each with its own level of the target, spread `levels` wide, beside noise of 0 to 1. */
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

test("500 categories that mean nothing teach trees nothing: neither in training nor on held-out rows", async () => {
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
  "500 categories that mean something are learned from: %s",
  async (algorithm) => {
    const { summary } = await fitModel({
      table: shops(8_000, 4),
      target: "y",
      timestamp: null,
      request: { algorithm, hyperparameters: { rounds: 100 } },
    });
    // Noise is 1/12 of variance beside 16/12 of the levels: 0.94 would be perfect.
    expect(summary.trainingMetrics.validation?.r2).toBeGreaterThan(0.85);
  },
);
