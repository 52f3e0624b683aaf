import type { Table } from "#lib/contract/table";
import { createGrid } from "#lib/ml/features/grid";
import { knownSeries } from "#lib/ml/forecast/known-series";
import { chooseNaive, naiveForecast, naiveName, rowIndexes } from "#lib/ml/forecast/naive-forecast";
import { seasonLengths } from "#lib/ml/model/seasonality";
import { numericValues } from "#lib/ml/table/columns";
import { meanBaseline } from "#lib/ml/train/seasonal-naive";
import type { OpenModel } from "#lib/models/open-model";

/** What a model must beat, as at its training. */
export type NaiveOf = {
  /** null for a model that nothing is known of. */
  name: string | null;
  /** @param known times and target up to where they count as known; `times` in epoch milliseconds */
  forecast: (known: Table, times: Float64Array) => Float64Array;
};

const found = new WeakMap<OpenModel, NaiveOf>();

/**
 * The naive forecast that a model was compared with when it was trained: found anew from the rows kept with the model,
 * in the same way (`lib/ml/model/baseline.ts`).
 */
export function naiveOf(model: OpenModel): NaiveOf {
  const naive = found.get(model) ?? find(model);
  found.set(model, naive);
  return naive;
}

function find({ state, history }: OpenModel): NaiveOf {
  const { timestamp, target, grid, horizon, validationRows } = state;
  if (timestamp === null || history === null)
    return { name: null, forecast: (_, times) => new Float64Array(times.length).fill(Number.NaN) };
  const trainingRows = Math.max(1, history.rowCount - validationRows);
  const targets = numericValues(history, target).subarray(0, trainingRows);
  if (grid === null || horizon === null)
    return { name: "mean", forecast: (_, times) => meanBaseline(targets, times.length) };
  const series = { timestamp, target, grid };
  const own = knownSeries(history, series);
  const indexes = rowIndexes(own, history.rowCount).subarray(0, trainingRows);
  const seasons = seasonLengths(grid.frequency);
  const naive = chooseNaive(own, { indexes, targets }, { seasons, horizon });
  const { indexOf } = createGrid(grid);
  return {
    name: naiveName(naive),
    forecast: (known, times) => naiveForecast(knownSeries(known, series), times.map(indexOf), naive),
  };
}
