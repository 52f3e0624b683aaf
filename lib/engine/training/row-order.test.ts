import { describe, expect, test } from "vitest";
import type { LeaderboardEntry } from "#lib/contract/leaderboard";
import type { Column, Table } from "#lib/contract/table";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { number } from "#testing/sales-model";
import { fitModel } from "./fit-model.ts";
import { orderOfRows } from "./row-order.ts";

const random = seededRandom(12);
const noise = (count: number) => Float64Array.from({ length: count }, () => random.next() - 0.5);
function walk(count: number): Float64Array {
  let level = 0;
  return noise(count).map((step) => {
    level += step;
    return level;
  });
}
const groups = (count: number, size: number): Column => ({
  name: "group",
  type: "category",
  categories: Array.from({ length: Math.ceil(count / size) }, (_, i) => `group ${i}`),
  codes: Int32Array.from({ length: count }, (_, row) => Math.floor(row / size)),
});

describe("orderOfRows", () => {
  test("detects time order if neighbours are similar", () => {
    expect(orderOfRows(walk(100), [])).toBe("time");
    expect(orderOfRows(walk(5_000), [groups(5_000, 500)])).toBe("time");
    const growing = noise(200).map((value, row) => value + row / 50);
    expect(orderOfRows(growing, [])).toBe("time");
  });

  test("returns random if neighbours differ, or with too few rows", () => {
    for (let i = 0; i < 50; i++) expect(orderOfRows(noise(200), [])).toBe("random");
    expect(orderOfRows(walk(12), [])).toBe("random");
    expect(orderOfRows(new Float64Array(50).fill(3), [])).toBe("random");
  });

  test("returns random for rows sorted by the target or grouped by a category", () => {
    expect(orderOfRows(noise(300).sort(), [])).toBe("random");
    expect(orderOfRows(noise(300).sort().reverse(), [])).toBe("random");
    const { codes, ...group } = groups(300, 100) as Extract<Column, { type: "category" }>;
    const byGroup = noise(300).map((value, row) => value + 5 * codes[row]!);
    expect(orderOfRows(byGroup, [])).toBe("time");
    expect(orderOfRows(byGroup, [{ ...group, codes }])).toBe("random");
  });
});

/** A target that follows a drifting input linearly: a linear model extrapolates, trees do not. */
function drifting(rows: number): Table {
  const index = Float64Array.from({ length: rows }, (_, row) => row / 10);
  const level = walk(rows);
  return {
    rowCount: rows,
    columns: [
      number("index", index),
      number(
        "y",
        index.map((x, row) => 2 * x + level[row]!),
      ),
    ],
  };
}

test("back-tests rows in time order, and gives most weight to a linear model that extrapolates", async () => {
  const table = drifting(300);
  const trained = (order?: "time" | "random") =>
    fitModel({ table, target: "y", timestamp: null, request: { validation: { order } } });
  const inOrder = await trained();
  const weightOfLinear = ([{ algorithm, members }]: [LeaderboardEntry]) =>
    algorithm === "blend"
      ? members!.find(({ name }) => name.startsWith("Linear"))!.weight
      : Number(algorithm !== "gradient_boosting");
  expect(weightOfLinear(inOrder.summary.leaderboard as [LeaderboardEntry])).toBeGreaterThan(0.7);
  expect(inOrder.summary.leaderboard[0]!.backTest!.folds).toHaveLength(3);
  // The last fifth is the validation set.
  expect(inOrder.summary.validation!.rows).toEqual(Array.from({ length: 60 }, (_, row) => 241 + row));
  const shuffled = await trained("random");
  expect(weightOfLinear(shuffled.summary.leaderboard as [LeaderboardEntry])).toBeLessThan(0.5);
  expect(shuffled.summary.leaderboard[0]!.backTest!.folds).toHaveLength(5);
});
