import { expect, test } from "vitest";
import { gaussian } from "#testing/gaussian";
import { number } from "#testing/sales-model";
import { fitModel } from "./fit-model.ts";

const LENGTH = 96;

test("the leaderboard of a series without inputs has back-tests of the combination and of the naive forecast", async () => {
  const noise = gaussian(4);
  const months = Array.from({ length: LENGTH }, (_, month) => month);
  const values = months.map((month) => 100 + month + 20 * Math.sin(month / 2) + noise());
  const { summary } = await fitModel({
    table: {
      rowCount: LENGTH,
      columns: [
        {
          name: "month",
          type: "timestamp",
          values: Float64Array.from(months, (at) => Date.UTC(2015, at, 1)),
        },
        number("y", values),
      ],
    },
    target: "y",
    timestamp: "month",
    frequency: "P1M",
    request: { horizon: 6, targetMetric: "mae" },
  });
  const [chosen, naive] = summary.leaderboard;
  expect(chosen).toMatchObject({ algorithm: "combination", backTest: { metric: "mae" } });
  expect(naive).toMatchObject({ algorithm: "baseline", backTest: { metric: "mae" } });
  const [own, repeated] = [chosen!.backTest!, naive!.backTest!];
  expect(own.folds.length).toBeGreaterThan(5);
  expect(repeated.folds).toHaveLength(own.folds.length);
  expect(own.mean).toBeLessThan(repeated.mean!);
});
