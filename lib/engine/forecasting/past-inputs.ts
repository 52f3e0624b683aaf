import type { Table } from "#lib/contract/table";
import { stepMs } from "#lib/engine/features/frequency";
import { createGrid, type GridDefinition } from "#lib/engine/features/grid";
import { numericValues, requireColumn } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { calendarSeasons, chooseForecaster } from "./choose-forecaster.ts";
import type { FeatureSeries, Forecaster } from "./forecaster.ts";
import { isDiscrete, onGrid, withForecast } from "./generation.ts";

/**
 * Returns rows with their inputs as they would have been generated right before the first row; null if too few rows
 * before that row are used.
 */
export type PastInputs = (range: { from: number; to: number }) => Table | null;

type PastOptions = {
  timestamp: string;
  timezone: string;
  grid: GridDefinition;
  /** Steps after which inputs are generated again, from the rows up to there. */
  horizon: number;
  inputs: readonly string[];
};

/** Maximum number of cells of all inputs together: choosing forecasters for as many takes about a second. */
const CELLS_MAX = 40_000;
/** Fraction of the used cells before the first origin. */
const FIRST_PART = 1 / 3;

/**
 * Generates inputs of known rows from the rows before, with the forecasters of scenarios. Each input's forecaster is
 * chosen once. Many inputs use fewer of the latest rows. Returns null without inputs, with too many, or with too few rows.
 */
export function pastInputs(
  table: Table,
  { timestamp, timezone, grid, horizon, inputs }: PastOptions,
): PastInputs | null {
  const { indexOf, timeAt } = createGrid(grid);
  const indexes = numericValues(table, timestamp).map(indexOf);
  const end = indexes.at(-1)! + 1;
  const first = Math.max(indexes[0]!, end - Math.floor(CELLS_MAX / inputs.length));
  const length = end - first;
  if (inputs.length === 0 || !(FIRST_PART * length >= horizon)) return null;
  const firstOrigin = Math.max(horizon, FIRST_PART * length);
  const instants = Float64Array.from({ length: length + horizon }, (_, i) => timeAt(first + i));
  const seasons = calendarSeasons(stepMs(grid.frequency));
  const generators = new Map(
    inputs.map((name) => {
      const column = requireColumn(table, name);
      const values = onGrid(column, indexes, first, length);
      const series = { values, instants, timezone };
      const { forecaster } = chooseForecaster(series, horizon, seasons, isDiscrete(column, values));
      return [name, { series, forecaster }] as const;
    }),
  );
  return ({ from, to }) => {
    if (indexes[from]! - first < firstOrigin) return null;
    const rows = sliceRows(table, from, to);
    const cells = Array.from(indexes.subarray(from, to), (index) => index - first);
    const columns = rows.columns.map((column) => {
      const generator = generators.get(column.name);
      if (!generator) return column;
      return withForecast(column, valuesAt(generator, cells, horizon));
    });
    return { ...rows, columns };
  };
}

/** Returns the generated values of ascending cells, each block of one horizon from the cells before it. */
function valuesAt(
  { series, forecaster }: { series: FeatureSeries; forecaster: Forecaster },
  cells: readonly number[],
  horizon: number,
): Float64Array {
  const start = cells[0]!;
  const blocks = new Map<number, Float64Array>();
  return Float64Array.from(cells, (cell) => {
    const block = Math.floor((cell - start) / horizon);
    const origin = start + block * horizon;
    const ahead = blocks.get(block) ?? forecaster.forecast(series, origin, horizon);
    blocks.set(block, ahead);
    const value = ahead[cell - origin]!;
    // Early rows may lack the season that the forecaster repeats.
    return Number.isNaN(value) ? lastKnown(series.values, origin) : value;
  });
}

function lastKnown(values: Float64Array, before: number): number {
  return values.subarray(0, before).findLast((value) => !Number.isNaN(value)) ?? Number.NaN;
}
