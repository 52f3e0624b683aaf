import { limits } from "#lib/contract/limits";
import type { Column, Table } from "#lib/contract/table";
import { stepMs } from "#lib/engine/features/frequency";
import { createGrid, type Grid } from "#lib/engine/features/grid";
import { indexSeries, rowsOfSeries } from "#lib/engine/panel/series-index";
import { numericValues, requireColumn } from "#lib/engine/table/columns";
import { takeColumnRows } from "#lib/engine/table/rows";
import { calendarSeasons, chooseForecaster } from "./choose-forecaster.ts";
import type { FeatureSeries, Forecaster } from "./forecaster.ts";
import { naiveForecaster } from "./forecasters.ts";
import {
  type GeneratedInputs,
  GenerationImpossible,
  type GenerationSource,
  isDiscrete,
  onGrid,
  orElse,
  stepsToGenerate,
  withForecast,
} from "./generation.ts";
import { previewForecast } from "./preview-forecast.ts";

/** Maximum number of past cells that forecasts read. */
const PAST_CELLS_MAX = 1_000;
/** Maximum number of series that the method of an input is chosen from, and of origins in each. */
const SAMPLED_SERIES_MAX = 30;
const ORIGINS_MAX = 4;

type PanelRows = {
  grid: Grid;
  /** Table rows of each continued series, and the grid index of each table row. */
  rows: Int32Array[];
  indexes: Float64Array;
  /** First grid index of the past, number of past cells, and number of cells to generate. */
  first: number;
  length: number;
  steps: number;
  instants: Float64Array;
  timezone: string;
};

/**
 * Continues the inputs of each series from the step after the newest known target of all to the same end. A series whose last
 * row is more than a horizon older has ended and is left out. Series columns and columns that are constant within a series
 * keep their value. An input with the same values in all series, such as a holiday, is forecast once. The others are continued
 * by the one simple method that does best for a sample of series, because each choice for each of 10,000 series would take
 * minutes. Planned rows keep their values.
 *
 * @throws GenerationImpossible with the reason
 */
export function generatePanelInputs(
  { state, inputFeatures, history }: GenerationSource,
  { endDate = null }: { endDate?: number | null },
): GeneratedInputs {
  const { columns, levels } = state.series!;
  const table = history!;
  const grid = createGrid(state.grid!);
  const { rows, indexes, last } = continuedSeries(state, table);
  const steps = stepsToGenerate(endDate, last, grid, state.horizon);
  requirePanelRows(rows.length, steps);
  const count = rows.length * steps;
  const oldest = indexes.reduce((least, index) => Math.min(least, index), Number.POSITIVE_INFINITY);
  const first = Math.max(oldest, last - PAST_CELLS_MAX + 1);
  const length = last - first + 1;
  const instants = Float64Array.from({ length: length + steps }, (_, i) => grid.timeAt(first + i));
  const panel: PanelRows = { grid, rows, indexes, first, length, steps, instants, timezone: state.timezone };
  const constant = new Set([...columns, ...levels]);
  const result: GeneratedInputs = { table: { rowCount: count, columns: [] }, forecasts: [] };
  const time = Float64Array.from({ length: count }, (_, row) => instants[length + (row % steps)]!);
  result.table.columns.push({ name: state.timestamp!, type: "timestamp", values: time });
  for (const { name, role } of inputFeatures) {
    if (role !== "input") continue;
    const column = requireColumn(table, name);
    if (constant.has(name)) result.table.columns.push(repeated(column, panel));
    else {
      const { column: continued, forecast } = continueColumn(column, panel, state.grid!.frequency);
      result.table.columns.push(continued);
      result.forecasts.push(forecast);
    }
  }
  return result;
}

/**
 * Finds the series to continue. A series whose last row is more than a horizon older than the newest known target of all has
 * ended.
 *
 * @returns table rows of each of these series, grid index of each table row, and that of the newest known target
 */
export function continuedSeries(
  state: GenerationSource["state"],
  table: Table,
): Pick<PanelRows, "rows" | "indexes"> & { last: number } {
  const grid = createGrid(state.grid!);
  const indexes = numericValues(table, state.timestamp!).map(grid.indexOf);
  const newest = indexes.reduce((most, index) => Math.max(most, index), Number.NEGATIVE_INFINITY);
  const last = state.lastTimestamp === null ? newest : grid.indexOf(state.lastTimestamp);
  const isContinued = (rows: Int32Array) =>
    rows.some((row) => indexes[row]! <= last && indexes[row]! > last - Math.max(1, state.horizon ?? 1));
  const rows = rowsOfSeries(indexSeries(table, state.series!.columns)).filter(isContinued);
  return { rows, indexes, last };
}

/** @throws GenerationImpossible for more rows than a scenario of many series may have */
export function requirePanelRows(series: number, steps: number): void {
  const count = series * steps;
  if (count <= limits.panelScenarioRows) return;
  const figure = (rows: number) => rows.toLocaleString("en");
  throw new GenerationImpossible(
    "too_many_panel_rows",
    `${figure(steps)} steps of ${figure(series)} series are ${figure(count)} rows. A scenario of many series has at most ${figure(limits.panelScenarioRows)} rows. Choose an earlier end date.`,
  );
}

/** Repeats the last known value of each series. */
function repeated(column: Column, { rows, steps }: PanelRows): Column {
  const sources = new Int32Array(rows.length * steps);
  const isKnown = (row: number) =>
    column.type === "category" ? column.codes[row]! >= 0 : !Number.isNaN(column.values[row]!);
  rows.forEach((own, at) => {
    sources.fill(own.findLast(isKnown) ?? own.at(-1)!, at * steps, (at + 1) * steps);
  });
  return takeColumnRows(column, sources);
}

/** Returns the known and planned values of a series on the grid. */
function cellsOf(
  column: Column,
  rows: Int32Array,
  { indexes, first, length, steps }: PanelRows,
): Float64Array {
  const own = Float64Array.from(rows, (row) => indexes[row]!);
  return onGrid(takeColumnRows(column, rows), own, first, length + steps);
}

function continueColumn(
  column: Column,
  panel: PanelRows,
  frequency: string,
): { column: Column; forecast: GeneratedInputs["forecasts"][number] } {
  const { rows, length, steps, instants, timezone } = panel;
  const values = new Float64Array(rows.length * steps);
  const series = (cells: Float64Array): FeatureSeries => ({
    values: cells.subarray(0, length),
    instants,
    timezone,
  });
  const shared = sharedCells(column, panel);
  const isCode = isDiscrete(column, column.type === "category" ? new Float64Array() : column.values);
  const sample = shared ? [shared] : sampledCells(column, panel);
  const { forecaster, error, origins } = shared
    ? chooseForecaster(series(shared), steps, calendarSeasons(stepMs(frequency)), isCode)
    : chooseSimple(sample.map(series), { steps, frequency, isCode });
  let planned = 0;
  const continued = (cells: Float64Array) => {
    const ahead = forecaster.forecast(series(cells), length, steps);
    return ahead.map((value, step) => {
      const given = cells[length + step]!;
      return orElse(given, orElse(value, lastKnown(cells, length)));
    });
  };
  const first = continued(shared ?? cellsOf(column, rows[0] ?? new Int32Array(), panel));
  rows.forEach((own, at) => {
    const cells = cellsOf(column, own, panel);
    planned += cells.subarray(length).reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : 1), 0);
    values.set(shared ? first : continued(cells), at * steps);
  });
  const rounded = column.type === "timestamp" ? values.map(Math.round) : values;
  return {
    column: withForecast(column, rounded),
    forecast: {
      feature: column.name,
      method: forecaster.method,
      error,
      errorKind: isCode ? "share" : "absolute",
      origins,
      isExact: planned === values.length,
      ...(planned > 0 && { plannedRows: planned }),
      preview: previewForecast(column, series(sample[0] ?? new Float64Array(length)), first),
    },
  };
}

const lastKnown = (cells: Float64Array, before: number) =>
  cells.subarray(0, before).findLast((value) => !Number.isNaN(value)) ?? Number.NaN;

/** Returns the values that all series share at each time; null if two series differ. */
function sharedCells(column: Column, panel: PanelRows): Float64Array | null {
  const { indexes, first, length, steps, rows } = panel;
  const cells = new Float64Array(length + steps).fill(Number.NaN);
  for (const own of rows)
    for (const row of own) {
      const value = column.type === "category" ? column.codes[row]! : column.values[row]!;
      const cell = indexes[row]! - first;
      if (
        !(cell >= 0 && cell < cells.length) ||
        Number.isNaN(value) ||
        (column.type === "category" && value < 0)
      )
        continue;
      if (Number.isNaN(cells[cell]!)) cells[cell] = value;
      else if (cells[cell] !== value) return null;
    }
  return cells;
}

function sampledCells(column: Column, panel: PanelRows): Float64Array[] {
  const { rows } = panel;
  const count = Math.min(SAMPLED_SERIES_MAX, rows.length);
  return Array.from({ length: count }, (_, i) =>
    cellsOf(column, rows[Math.floor((i * rows.length) / count)]!, panel),
  );
}

/** Chooses between the last value and the last seasons by the errors of all sampled series together. */
function chooseSimple(
  sample: readonly FeatureSeries[],
  { steps, frequency, isCode }: { steps: number; frequency: string; isCode: boolean },
): { forecaster: Forecaster; error: number | null; origins: number } {
  const length = sample[0]?.values.length ?? 0;
  const seasons = calendarSeasons(stepMs(frequency)).filter((season) => season.steps <= length / 2);
  const candidates = [
    naiveForecaster(1, ""),
    ...seasons.map((season) => naiveForecaster(season.steps, season.name)),
  ];
  const ahead = Math.max(1, Math.min(steps, Math.floor(length / 3)));
  const origins = Array.from({ length: ORIGINS_MAX }, (_, i) => length - (i + 1) * ahead).filter(
    (origin) => origin >= length / 3,
  );
  const tried = candidates.map((forecaster) => {
    let [sum, count] = [0, 0];
    for (const series of sample)
      for (const origin of origins)
        forecaster.forecast(series, origin, ahead).forEach((value, step) => {
          const error = Math.abs(value - series.values[origin + step]!);
          if (Number.isNaN(error)) return;
          sum += isCode ? Number(error > 0) : error;
          count++;
        });
    return { forecaster, error: count > 0 ? sum / count : null };
  });
  const best = tried.reduce((least, one) =>
    (one.error ?? Infinity) < (least.error ?? Infinity) ? one : least,
  );
  return { ...best, origins: best.error === null ? 0 : origins.length };
}
