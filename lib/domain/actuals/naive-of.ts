import type { Table } from "#lib/contract/table";
import type { OpenModel } from "#lib/domain/models/open-model";
import { createGrid, type GridDefinition } from "#lib/engine/features/grid";
import { knownSeries } from "#lib/engine/forecasting/known-series";
import {
  chooseNaive,
  type Naive,
  naiveForecast,
  naiveName,
  rowIndexes,
} from "#lib/engine/forecasting/naive-forecast";
import { meanBaseline } from "#lib/engine/learners/seasonal-naive";
import { numericValues } from "#lib/engine/table/columns";
import { seasonLengths } from "#lib/engine/training/seasonality";

/** What a model must beat, as at its training: plain data, which a thread can be given. Null: nothing is known of it. */
export type NaiveModel =
  | { mean: number }
  | { seasonal: Naive; series: { timestamp: string; target: string; grid: GridDefinition } }
  | null;

const found = new WeakMap<OpenModel, NaiveModel>();

/** The naive forecast that a model was compared with when it was trained. */
export function naiveOf(model: OpenModel): NaiveModel {
  const naive = found.get(model) ?? find(model);
  found.set(model, naive);
  return naive;
}

/** What it repeats, as a person is told. */
export function naiveModelName(naive: NaiveModel): string | null {
  if (naive === null) return null;
  return "mean" in naive ? "mean" : naiveName(naive.seasonal);
}

/**
 * What it says of some times (epoch milliseconds).
 *
 * @param known times and target up to where they count as known
 * @returns a value for each time; NaN where nothing is known
 */
export function forecastNaively(naive: NaiveModel, known: Table, times: Float64Array): Float64Array {
  if (naive === null) return new Float64Array(times.length).fill(Number.NaN);
  if ("mean" in naive) return new Float64Array(times.length).fill(naive.mean);
  const { seasonal, series } = naive;
  return naiveForecast(knownSeries(known, series), times.map(createGrid(series.grid).indexOf), seasonal);
}

function find({ state, history }: OpenModel): NaiveModel {
  const { timestamp, target, grid, naive } = state;
  if (timestamp === null || history === null) return null;
  if (naive === undefined) return findAsVersion1(state, timestamp, history);
  if ("mean" in naive) return naive;
  return grid && { ...naive, series: { timestamp, target, grid } };
}

/** Models of version 1 do not say: it is found again from the rows before their validation rows. */
function findAsVersion1(
  { target, grid, horizon, validationRows }: OpenModel["state"],
  timestamp: string,
  history: Table,
): NaiveModel {
  const trainingRows = Math.max(1, history.rowCount - validationRows);
  const targets = numericValues(history, target).subarray(0, trainingRows);
  if (grid === null || horizon === null) return { mean: meanBaseline(targets, 1)[0]! };
  const series = { timestamp, target, grid };
  const own = knownSeries(history, series);
  const indexes = rowIndexes(own, history.rowCount).subarray(0, trainingRows);
  const seasons = seasonLengths(grid.frequency);
  return { seasonal: chooseNaive(own, { indexes, targets }, { seasons, horizon }), series };
}
