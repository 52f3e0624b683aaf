import { expect, test } from "vitest";
import { TrainModel } from "#lib/contract/train-model";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { load, number } from "#testing/sales-model";
import { fitModel } from "./fit-model.ts";

const HOUR = 3_600_000;

test("a direction of a column leaves the calendar field of the same name free", async () => {
  const rows = 600;
  const random = seededRandom(1);
  const times = Float64Array.from({ length: rows }, (_, i) => Date.UTC(2024, 0, 1) + i * HOUR);
  // Hours worked.
  const worked = Float64Array.from({ length: rows }, () => 10 * random.next());
  const fitted = await fitModel({
    table: {
      rowCount: rows,
      columns: [
        { name: "time", type: "timestamp", values: times },
        number("hour", worked),
        number(
          "y",
          worked.map((value, i) => 100 + value - 5 * (i % 24)),
        ),
      ],
    },
    target: "y",
    timestamp: "time",
    request: {
      algorithm: "gradient_boosting",
      features: { lags: [] },
      hyperparameters: { rounds: 60, learningRate: 0.2, monotone: { hour: "increasing" } },
    },
  });
  expect(fitted.summary.trainingMetrics.validation!.r2).toBeGreaterThan(0.95);
  const { predictions } = await (await load(fitted)).predict({
    rowCount: 5,
    columns: [
      { name: "time", type: "timestamp", values: new Float64Array(5).fill(times[12]!) },
      number("hour", [1, 3, 5, 7, 9]),
    ],
  });
  expect(predictions).toEqual(predictions.toSorted());
  expect(predictions[4]).toBeGreaterThan(predictions[0]!);
});

test.each(["feature", "other"])("rejects a direction of a column that a combination reads as %s", (place) => {
  const combination = { operation: "ratio", feature: "income", other: "cost", [place]: "price" };
  const issuesOf = (column: string) =>
    TrainModel.safeParse({
      features: { combinations: [combination] },
      hyperparameters: { monotone: { [column]: "decreasing" } },
    }).error?.issues.map(({ path, message }) => [path.join("."), message]) ?? [];
  expect(issuesOf("price")).toEqual([
    ["hyperparameters.monotone", expect.stringContaining('Remove the direction of "price"')],
  ]);
  expect(issuesOf("colour")).toEqual([]);
});
