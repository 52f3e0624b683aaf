import fc from "fast-check";
import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { DAY, load, number, START } from "#testing/sales-model";
import { fitModel } from "./fit-model.ts";

/** Returns simulated demand: on a part of the days, of varying size. */
function demand(days: number, part: number, seed: number, withInputs: boolean): Table {
  const random = seededRandom(seed);
  const values = Array.from({ length: days }, () => (random.next() < part ? 1 + random.below(9) : 0));
  const day = Float64Array.from(values, (_, i) => START + i * DAY);
  const noise = values.map(() => random.next());
  return {
    rowCount: days,
    columns: [
      { name: "day", type: "timestamp", values: day },
      ...(withInputs ? [number("x", noise)] : []),
      number("y", values),
    ],
  };
}

const train = (table: Table) =>
  fitModel({
    table,
    target: "y",
    timestamp: "day",
    frequency: "P1D",
    // Boosting is slow, and no matter here.
    request: { horizon: 14, hyperparameters: { rounds: 10 } },
  });

test("TSB is a candidate for intermittent demand with inputs", async () => {
  const { summary } = await train(demand(120, 0.3, 3, true));
  const tsb = summary.leaderboard.find(({ algorithm, rung }) => algorithm === "tsb" && rung === 3);
  expect(tsb).toMatchObject({ features: "target history" });
  expect(tsb!.backTest!.mean).toBeGreaterThan(0);
  const dense = await train(demand(120, 1, 3, true));
  expect(dense.summary.leaderboard.some(({ algorithm }) => algorithm === "tsb")).toBe(false);
});

test("TSB is a member of the combination for intermittent demand without inputs", async () => {
  const methods = async (part: number) =>
    (await train(demand(120, part, 3, false))).summary.leaderboard[0]!.members!.map(({ name }) => name);
  expect(await methods(0.3)).toContain("TSB");
  expect(await methods(1)).not.toContain("TSB");
});

test("forecasts of intermittent demand are finite and not negative", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 0.1, max: 0.6, noNaN: true }),
      fc.integer({ min: 1, max: 99 }),
      fc.boolean(),
      async (part, seed, withInputs) => {
        const all = demand(74, part, seed, withInputs);
        const cut = (columns: Table["columns"], from: number, to: number) =>
          columns.map((column) =>
            column.type === "category" ? column : { ...column, values: column.values.slice(from, to) },
          );
        const model = await load(await train({ rowCount: 60, columns: cut(all.columns, 0, 60) }));
        const rows = { rowCount: 14, columns: cut(all.columns, 60, 74) };
        const { predictions, intervals } = await model.predict(rows, { include: { intervals: true } });
        for (const values of [predictions, intervals!.lower, intervals!.upper]) {
          expect(values.every((value) => Number.isFinite(value) && value >= 0)).toBe(true);
        }
      },
    ),
    { numRuns: 4 },
  );
});
