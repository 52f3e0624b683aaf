import type { Column, Table } from "#lib/contract/table";
import { loadModel } from "#lib/engine/inference/load-model";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import type { FitInput } from "#lib/engine/training/fit-input";
import type { FittedModel } from "#lib/engine/training/model-summary";

export const DAY = 86_400_000;
export const START = Date.UTC(2022, 0, 1);
/** Hyperparameters with few trees, for fast tests. */
export const quick = { rounds: 60, learningRate: 0.1 };

export const number = (name: string, values: ArrayLike<number>): Column => ({
  name,
  type: "number",
  values: Float64Array.from(values),
});

/** Returns daily sales that depend on the day of the week, the temperature, the kind of day, and noise. */
export function sales(rows: number, seed = 1): Table {
  const random = seededRandom(seed);
  const temp = Float64Array.from({ length: rows }, (_, i) => 10 + 10 * Math.sin(i / 58) + 4 * random.next());
  const kinds = ["plain", "market", "fair"];
  const kind = Int32Array.from({ length: rows }, () => random.below(3));
  const y = temp.map((t, i) => 50 + 2 * t + (i % 7 < 2 ? 30 : 0) + 10 * kind[i]! + 3 * random.next());
  return {
    rowCount: rows,
    columns: [
      {
        name: "day",
        type: "timestamp",
        values: Float64Array.from({ length: rows }, (_, i) => START + i * DAY),
      },
      number("temp", temp),
      { name: "kind", type: "category", categories: kinds, codes: kind },
      {
        name: "open",
        type: "boolean",
        values: Float64Array.from({ length: rows }, (_, i) => (i % 3 === 0 ? 0 : 1)),
      },
      number("sales", y),
    ],
  };
}

/** Returns the input for a fit of the sales in a table. */
export const series = (table: Table, request: FitInput["request"] = {}): FitInput => ({
  table,
  target: "sales",
  timestamp: "day",
  request: { hyperparameters: quick, ...request },
});

/** Loads a fitted model from its files. */
export const load = ({ files }: FittedModel) =>
  loadModel(async (name) => {
    const bytes = files.get(name);
    if (!bytes) throw new Error(`no file ${name}`);
    return bytes;
  });
