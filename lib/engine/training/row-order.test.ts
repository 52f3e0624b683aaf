import { describe, expect, test } from "vitest";
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

describe("the order of rows carries time", () => {
  test("where neighbours are alike", () => {
    expect(orderOfRows(walk(100), [])).toBe("time");
    expect(orderOfRows(walk(5_000), [groups(5_000, 500)])).toBe("time");
    const growing = noise(200).map((value, row) => value + row / 50);
    expect(orderOfRows(growing, [])).toBe("time");
  });

  test("not where they are not, or too few to tell", () => {
    for (let i = 0; i < 50; i++) expect(orderOfRows(noise(200), [])).toBe("random");
    expect(orderOfRows(walk(12), [])).toBe("random");
    expect(orderOfRows(new Float64Array(50).fill(3), [])).toBe("random");
  });

  test("not where rows are sorted by the target, or grouped by a category", () => {
    expect(orderOfRows(noise(300).sort(), [])).toBe("random");
    expect(orderOfRows(noise(300).sort().reverse(), [])).toBe("random");
    const { codes, ...group } = groups(300, 100) as Extract<Column, { type: "category" }>;
    const byGroup = noise(300).map((value, row) => value + 5 * codes[row]!);
    expect(orderOfRows(byGroup, [])).toBe("time");
    expect(orderOfRows(byGroup, [{ ...group, codes }])).toBe("random");
  });
});

/** A target that follows a drifting input in a line: trees see the past only, a line goes on. */
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

test("rows in the order of time are back-tested in it: a line that goes on is kept, not trees that cannot", async () => {
  const table = drifting(300);
  const trained = (order?: "time" | "random") =>
    fitModel({ table, target: "y", timestamp: null, request: { validation: { order } } });
  const inOrder = await trained();
  expect(["ridge", "elastic_net"]).toContain(inOrder.summary.algorithm);
  expect(inOrder.summary.leaderboard[0]!.backTest!.folds).toHaveLength(3);
  // The last fifth validates.
  expect(inOrder.summary.validation!.rows).toEqual(Array.from({ length: 60 }, (_, row) => 241 + row));
  const shuffled = await trained("random");
  expect(shuffled.summary.algorithm).toBe("gradient_boosting");
  expect(shuffled.summary.leaderboard[0]!.backTest!.folds).toHaveLength(5);
});
