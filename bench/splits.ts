import { parseCsv } from "#lib/engine/csv/parse";
import type { Skipped } from "./benchmark.ts";
import { bikeRentals, sampleDataHint } from "./sample-data.ts";
import { friedmanData, type TrainingData } from "./synthetic.ts";

/** Rows for training and rows for evaluation. */
export type Split = { what: string; training: TrainingData; heldOut: TrainingData };

const BIKE_LAGS = [1, 2, 24, 48, 168];

export function synthetic(rows: number, seed: number): Split {
  return {
    what: `${rows.toLocaleString("en")} × 12`,
    training: friedmanData(rows, 12, seed),
    heldOut: friedmanData(4_000, 12, seed + 1),
  };
}

/**
 * Splits the bike rentals; the last fifth of the hours is held out. Without lags, no column has more distinct values
 * than a learner has bins. All learners then consider the same splits, and equal errors show equal work.
 *
 * @param lags adds the rentals of some earlier hours as columns
 */
export function bikes(lags = false): Split | Skipped {
  const what = lags ? "bike rentals with lags" : "bike rentals";
  const bytes = bikeRentals();
  if (bytes === null) return { what, skipped: sampleDataHint };
  const exclude = ["instant", "dteday", "casual", "registered"];
  const { table, rowCount } = parseCsv(bytes, { exclude, timestamp: null });
  const numbers = table.columns.filter((column) => column.type !== "category");
  const rentals = numbers.find(({ name }) => name === "cnt")!.values;
  const columns = numbers.filter(({ name }) => name !== "cnt").map(({ values }) => Float32Array.from(values));
  for (const lag of lags ? BIKE_LAGS : []) {
    columns.push(Float32Array.from(rentals, (_, row) => rentals[row - lag] ?? Number.NaN));
  }
  const cut = Math.floor(rowCount * 0.8);
  const part = (from: number, to: number): TrainingData => ({
    columns: columns.map((column) => column.slice(from, to)),
    target: Float64Array.from(rentals.slice(from, to)),
  });
  return {
    what: `${what} ${cut.toLocaleString("en")} × ${columns.length}`,
    training: part(0, cut),
    heldOut: part(cut, rowCount),
  };
}
