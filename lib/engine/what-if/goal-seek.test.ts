import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { numericValues } from "#lib/engine/table/columns";
import { type Condition, type Lever, seekGoal, valuesOfLever } from "./goal-seek.ts";

const NAMES = ["a", "b", "c"] as const;
const FOREVER = { isOver: () => false };

/** A problem with a random tree model, and with the best miss and violation by plain enumeration. */
function problemOf(seed: number, { stepsMax = 7, isInfeasible = false } = {}) {
  const { next } = seededRandom(seed);
  const between = (low: number, high: number) => low + (high - low) * next();
  const rowCount = 2 + Math.floor(between(0, 5));
  const values = NAMES.map(() => Float64Array.from({ length: rowCount }, () => between(-5, 5)));
  const stumps = Array.from({ length: 12 }, () => ({
    at: Math.floor(between(0, 3)),
    other: Math.floor(between(0, 3)),
    cut: between(-6, 6),
    cutOther: between(-6, 6),
    leaves: [between(-10, 10), between(-10, 10), between(-10, 10)],
  }));
  const predictRow = (row: readonly number[]) =>
    stumps.reduce((sum, { at, other, cut, cutOther, leaves }) => {
      const leaf = row[at]! <= cut ? 0 : row[other]! <= cutOther ? 1 : 2;
      return sum + leaves[leaf]!;
    }, 50);
  const levers = NAMES.slice(0, 1 + Math.floor(between(0, 3))).map((feature): Lever => {
    const operation = (["set", "add", "multiply"] as const)[Math.floor(between(0, 3))]!;
    const step = between(0.2, 2);
    const min = between(-4, 0);
    return { feature, operation, min, step, max: min + step * Math.floor(between(1, stepsMax)) };
  });
  const apply = { set: (_: number, v: number) => v, add: (x: number, v: number) => x + v } as const;
  const applied = (x: number, { operation }: Lever, v: number) =>
    operation === "multiply" ? x * v : apply[operation](x, v);
  const rowsAt = (setting: readonly number[]) =>
    Array.from({ length: rowCount }, (_, row) =>
      predictRow(
        NAMES.map((_, at) => {
          const lever = levers[at];
          return lever ? applied(values[at]![row]!, lever, setting[at]!) : values[at]![row]!;
        }),
      ),
    );
  const settings = levers.reduce<number[][]>(
    (found, lever) =>
      found.flatMap((setting) =>
        Array.from({ length: valuesOfLever(lever) }, (_, at) => [
          ...setting,
          Number((lever.min + lever.step * at).toPrecision(15)),
        ]),
      ),
    [[]],
  );
  const outcomes = settings.map((setting) => {
    const predictions = rowsAt(setting);
    return { sum: predictions.reduce((sum, one) => sum + one, 0), max: Math.max(...predictions) };
  });
  const lowestMax = Math.min(...outcomes.map(({ max }) => max));
  const some = outcomes[Math.floor(between(0, outcomes.length))]!;
  const goal: Condition = {
    statistic: "sum",
    of: "prediction",
    relation: (["equal", "atMost", "atLeast"] as const)[Math.floor(between(0, 3))]!,
    value: some.sum + between(-5, 5),
  };
  const limit = isInfeasible ? lowestMax - 1 : Math.max(some.max, lowestMax) + 0.5;
  const constraints: Condition[] = [{ statistic: "max", of: "prediction", relation: "atMost", value: limit }];
  const missOf = ({ sum }: { sum: number }) =>
    goal.relation === "equal"
      ? Math.abs(sum - goal.value)
      : Math.max(0, goal.relation === "atMost" ? sum - goal.value : goal.value - sum);
  const allowed = outcomes.filter(({ max }) => max <= limit);
  const table: Table = {
    rowCount,
    columns: NAMES.map((name, at) => ({ name, type: "number", values: values[at]! })),
  };
  const predict = async (changed: Table) => {
    const columns = NAMES.map((name) => numericValues(changed, name));
    return {
      prediction: Float64Array.from({ length: rowCount }, (_, row) =>
        predictRow(columns.map((column) => column[row]!)),
      ),
    };
  };
  return {
    predict,
    rows: { table, timestamp: null },
    levers,
    goal,
    constraints,
    count: settings.length,
    best: allowed.length === 0 ? null : Math.min(...allowed.map(missOf)),
    outcomeOf: (setting: readonly number[]) => {
      const predictions = rowsAt(setting);
      return predictions.reduce((sum, one) => sum + one, 0);
    },
  };
}

describe("seekGoal", () => {
  test("finds the proven optimum of seeded problems, a fifth of them without a solution", async () => {
    let infeasible = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const { predict, rows, best, count, outcomeOf, ...seeking } = problemOf(seed, {
        isInfeasible: seed % 5 === 0,
      });
      const found = await seekGoal(predict, rows, { ...seeking, settingsMax: 10_000, ...FOREVER });
      expect([seed, found.isProven, found.evaluated, found.settings]).toEqual([seed, true, count, count]);
      expect(found.goal).toBeCloseTo(outcomeOf(found.values), 9);
      expect([seed, found.violation > 0]).toEqual([seed, best === null]);
      if (best === null) infeasible++;
      else expect([seed, found.miss]).toEqual([seed, expect.closeTo(best, 9)]);
    }
    expect(infeasible).toBe(40);
  });

  test("searches larger problems within the limit, and never claims a better setting than there is", async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const { predict, rows, best, outcomeOf, count, ...seeking } = problemOf(seed, { stepsMax: 25 });
      const settingsMax = 120;
      const found = await seekGoal(predict, rows, { ...seeking, settingsMax, ...FOREVER });
      expect(found.evaluated).toBeLessThanOrEqual(settingsMax);
      expect([seed, found.isProven]).toEqual([seed, count <= settingsMax]);
      expect(found.goal).toBeCloseTo(outcomeOf(found.values), 9);
      if (found.violation === 0) expect(found.miss).toBeGreaterThanOrEqual(best! - 1e-9);
    }
  });

  test("stops when the time is over, with the best setting so far and without a proof", async () => {
    const { predict, rows, ...seeking } = problemOf(3);
    let calls = 0;
    const isOver = () => ++calls > 2;
    const found = await seekGoal(predict, rows, { ...seeking, settingsMax: 10_000, isOver });
    expect([found.evaluated, found.isProven]).toEqual([3, false]);
  });

  test("prefers the smallest changes among equal settings", async () => {
    const { rows } = problemOf(1);
    const levers: Lever[] = [
      { feature: "a", operation: "add", min: -2, max: 2, step: 1 },
      { feature: "b", operation: "multiply", min: 0.5, max: 1.5, step: 0.25 },
    ];
    const goal = { statistic: "mean", of: "prediction", relation: "atMost", value: 9 } as const;
    const constant = async ({ rowCount }: Table) => ({ prediction: new Float64Array(rowCount).fill(5) });
    const seeking = { levers, goal, constraints: [], settingsMax: 100, ...FOREVER };
    expect((await seekGoal(constant, rows, seeking)).values).toEqual([0, 1]);
  });
});

test("the rounding of a lever's step does not change its number of values", () => {
  fc.assert(
    fc.property(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 0, max: 200 }), (first, count) => {
      const lever = { feature: "a", operation: "set" as const, min: first / 10, max: (first + count) / 10 };
      expect(valuesOfLever({ ...lever, step: 0.1 })).toBe(count + 1);
    }),
  );
});
