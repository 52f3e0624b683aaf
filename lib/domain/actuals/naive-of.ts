import type { Classes } from "#lib/contract/classes";
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
import { indexSeries, rowsOfSeries } from "#lib/engine/panel/series-index";
import { numericValues, selectColumns } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { seasonLengths } from "#lib/engine/training/seasonality";

/**
 * The naive forecast that a model was compared with at its training, as plain data that can be sent to a worker thread.
 * Null if unknown.
 */
export type NaiveModel =
  | { mean: number }
  | { seasonal: Naive; series: { timestamp: string; target: string; grid: GridDefinition } }
  | null;

const cache = new WeakMap<OpenModel, NaiveModel>();

/** Returns the naive forecast that a model was compared with when it was trained. */
export function naiveOf(model: OpenModel): NaiveModel {
  const naive = cache.get(model) ?? find(model);
  cache.set(model, naive);
  return naive;
}

/** Returns the display name of a naive forecast, such as `mean` or `last value`; null if the forecast is unknown. */
export function naiveModelName(naive: NaiveModel, classes?: Classes | undefined): string | null {
  if (naive === null) return null;
  if ("mean" in naive) return classes ? "base rate" : "mean";
  return naiveName(naive.seasonal);
}

/**
 * Computes the naive forecast at the given times (epoch milliseconds).
 *
 * @param known times and target up to the forecast origin
 * @returns one value per time; NaN where no value is known
 */
export function forecastNaively(naive: NaiveModel, known: Table, times: Float64Array): Float64Array {
  if (naive === null) return new Float64Array(times.length).fill(Number.NaN);
  if ("mean" in naive) return new Float64Array(times.length).fill(naive.mean);
  const { seasonal, series } = naive;
  return naiveForecast(knownSeries(known, series), times.map(createGrid(series.grid).indexOf), seasonal);
}

/** Computes the naive forecast of chosen rows of the known rows (from 0); of many series, of each series by its own values. */
export function naiveAtRows(model: OpenModel, known: Table, rows: Int32Array): Float64Array {
  const { timestamp, target, series } = model.state;
  const naive = naiveOf(model);
  const times = numericValues(known, timestamp!);
  if (!series)
    return forecastNaively(
      naive,
      known,
      Float64Array.from(rows, (row) => times[row]!),
    );
  const index = indexSeries(known, series.columns);
  const rowsOf = rowsOfSeries(index);
  const own = selectColumns(known, [timestamp!, target]);
  const found = new Float64Array(rows.length);
  for (const [place, entries] of Map.groupBy(rows.keys(), (at) => index.ofRow[rows[at]!]!)) {
    const wanted = Float64Array.from(entries, (at) => times[rows[at]!]!);
    const forecast = forecastNaively(naive, takeRows(own, rowsOf[place]!), wanted);
    entries.forEach((at, i) => {
      found[at] = forecast[i]!;
    });
  }
  return found;
}

function find({ state, history }: OpenModel): NaiveModel {
  const { timestamp, target, grid, naive } = state;
  if (timestamp === null || history === null) return null;
  // The back-tests of many series compare with the last season.
  if (state.series && grid)
    return {
      seasonal: { season: seasonLengths(grid.frequency)[0] ?? 1, horizon: state.horizon ?? 1 },
      series: { timestamp, target, grid },
    };
  if (naive === undefined) return findAsVersion1(state, timestamp, history);
  if ("mean" in naive) return naive;
  return grid && { ...naive, series: { timestamp, target, grid } };
}

/** Models of version 1 do not store their naive forecast. Chooses it again from the rows before their validation rows. */
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
