import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { LEARNER_FILE, readLearner } from "#lib/engine/inference/learner-file";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { DAY, load, number, START } from "#testing/sales-model";
import { fitModel } from "./fit-model.ts";

/** Returns days since the start with an input and the target. */
function daily(days: readonly number[], x: readonly number[], y: readonly number[]): Table {
  const times = Float64Array.from(days, (day) => START + day * DAY);
  return {
    rowCount: days.length,
    columns: [{ name: "day", type: "timestamp", values: times }, number("x", x), number("y", y)],
  };
}

const train = (table: Table) =>
  fitModel({
    table,
    target: "y",
    timestamp: "day",
    frequency: "P1D",
    request: { algorithm: "combination", features: { calendar: false }, horizon: 7 },
  });

test("subtracts the part of the inputs once from a day with two rows", async () => {
  const random = seededRandom(3);
  const days = [...Array.from({ length: 60 }, (_, i) => i), 30.2].sort((a, b) => a - b);
  const x = days.map((day) => (day === 30 ? 40 : 5 * random.next()));
  const y = x.map((value) => 100 + 10 * value);
  const { files } = await train(daily(days, x, y));
  const learner = readLearner(files.get(LEARNER_FILE)!);
  if (learner.kind !== "series") throw new Error(`unexpected kind ${learner.kind}`);
  // The remainder is constant: the target at the mean of the input.
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length;
  expect(learner.inputs).not.toBeNull();
  expect(Math.abs(learner.mean - mean)).toBeLessThan(1);
});

test("keeps the relation of levels for a target that wanders with its input", async () => {
  const random = seededRandom(5);
  const normal = () => Array.from({ length: 12 }, () => random.next()).reduce((a, b) => a + b, -6);
  let level = 0;
  const x = Array.from({ length: 200 }, () => {
    level += normal();
    return level;
  });
  // Noise hides the relation of changes: the changes of the noise are 14 times as large as those of 3x.
  const y = x.map((value) => 500 + 3 * value + 30 * normal());
  const days = x.map((_, i) => i);
  const model = await load(await train(daily(days, x, y)));
  const next = (shift: number) => daily([200], [x.at(-1)! + shift], [0]);
  const [base, higher] = [await model.predict(next(0)), await model.predict(next(1))];
  expect(Math.abs(higher.predictions[0]! - base.predictions[0]! - 3)).toBeLessThan(0.6);
});
