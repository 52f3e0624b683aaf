import type { GeneratedInput } from "#lib/contract/generated-inputs";
import type { Column, Table } from "#lib/contract/table";
import { stepMs } from "#lib/engine/features/frequency";
import { createGrid, type GridDefinition } from "#lib/engine/features/grid";
import { numericValues, requireColumn, selectColumns } from "#lib/engine/table/columns";
import { calendarSeasons, chooseForecaster, type Season } from "./choose-forecaster.ts";
import type { FeatureSeries } from "./forecaster.ts";
import { type ForecastPreview, previewForecast } from "./preview-forecast.ts";

/** Model data that the generation of inputs needs; a loaded model qualifies. */
export type GenerationSource = {
  state: {
    timestamp: string | null;
    timezone: string;
    grid: GridDefinition | null;
    horizon: number | null;
  };
  inputFeatures: { name: string; role: "input" | "upstream" | "timestamp" }[];
  /** Known rows of the series; null without a timestamp. */
  history: Table | null;
  /** Held-out rows of a model without a timestamp. */
  heldOut: Table | null;
};

export type GeneratedInputs = {
  /** Timestamp and inputs. The caller adds columns with predictions of upstream projects. */
  table: Table;
  /** Method and back-test error of each input; empty for held-out rows. */
  forecasts: (Omit<GeneratedInput, "known" | "generated"> & { preview: ForecastPreview })[];
};

type GenerationIssue = "end_date_not_after_last" | "too_many_rows" | "no_frequency" | "no_rows";

/** Thrown if inputs cannot be generated. */
export class GenerationImpossible extends Error {
  override name = "GenerationImpossible";
  readonly code: GenerationIssue;
  constructor(code: GenerationIssue, message: string) {
    super(message);
    this.code = code;
  }
}

export const GENERATED_ROWS_MAX = 100_000;

/** Maximum number of past cells that forecasters use: more would only slow down the back-test. */
const PAST_CELLS_MAX = 40_000;
/** Maximum number of distinct integers of a code. A code has no mean. */
const CODES_MAX = 12;

/**
 * Generates the model's inputs after its last known row: from the next step to `endDate` (epoch milliseconds,
 * inclusive), or over the validated horizon. For a model without a timestamp, returns its held-out rows.
 *
 * @throws GenerationImpossible with the reason
 */
export function generateInputs(
  source: GenerationSource,
  options: { endDate?: number | null } = {},
): GeneratedInputs {
  const { state, inputFeatures, history } = source;
  const inputs = inputFeatures.filter(({ role }) => role === "input").map(({ name }) => name);
  if (state.timestamp === null) {
    if (!source.heldOut || source.heldOut.rowCount === 0) {
      throw new GenerationImpossible("no_rows", "The model has no held-out rows. Upload a CSV instead.");
    }
    return { table: selectColumns(source.heldOut, inputs), forecasts: [] };
  }
  if (!state.grid) {
    throw new GenerationImpossible(
      "no_frequency",
      "The timestamps have no regular frequency, so the next timestamps are unknown. Upload a CSV instead.",
    );
  }
  if (!history || history.rowCount === 0) {
    throw new GenerationImpossible(
      "no_rows",
      "The model has no stored rows of its series. Upload a CSV instead.",
    );
  }
  const grid = createGrid(state.grid);
  const indexes = numericValues(history, state.timestamp).map(grid.indexOf);
  const last = indexes.reduce((most, index) => Math.max(most, index), Number.NEGATIVE_INFINITY);
  const steps = stepsAhead(options.endDate ?? null, last, grid, state.horizon);
  const first = Math.max(
    indexes.reduce((least, index) => Math.min(least, index), Number.POSITIVE_INFINITY),
    last - PAST_CELLS_MAX + 1,
  );
  const length = last - first + 1;
  const instants = Float64Array.from({ length: length + steps }, (_, i) => grid.timeAt(first + i));
  const seasons = calendarSeasons(stepMs(state.grid.frequency));
  const columns: Column[] = [{ name: state.timestamp, type: "timestamp", values: instants.slice(length) }];
  const forecasts: GeneratedInputs["forecasts"] = [];
  for (const name of inputs) {
    const column = requireColumn(history, name);
    const values = onGrid(column, indexes, first, length);
    const series = { values, instants, timezone: state.timezone };
    const discrete = isDiscrete(column, values);
    const { values: forecast, ...choice } = continueSeries(series, steps, seasons, discrete);
    // Files and requests hold whole milliseconds, and the same rows must give the same predictions.
    const ahead = column.type === "timestamp" ? forecast.map(Math.round) : forecast;
    const preview = previewForecast(column, series, ahead);
    forecasts.push({ feature: name, ...choice, errorKind: discrete ? "share" : "absolute", preview });
    columns.push(withForecast(column, ahead));
  }
  return { table: { rowCount: steps, columns }, forecasts };
}

function stepsAhead(
  endDate: number | null,
  last: number,
  grid: { indexOf: (instant: number) => number; timeAt: (index: number) => number },
  horizon: number | null,
): number {
  const steps = endDate === null ? (horizon ?? 1) : grid.indexOf(endDate) - last;
  if (!(steps >= 1)) {
    const next = new Date(grid.timeAt(last + 1)).toISOString();
    throw new GenerationImpossible(
      "end_date_not_after_last",
      `The end date must be ${next} or later, because it must follow the last known row.`,
    );
  }
  if (steps > GENERATED_ROWS_MAX) {
    throw new GenerationImpossible(
      "too_many_rows",
      `The end date is ${steps} steps ahead. At most ${GENERATED_ROWS_MAX} rows can be generated. Choose an earlier end date.`,
    );
  }
  return steps;
}

function continueSeries(series: FeatureSeries, steps: number, seasons: readonly Season[], discrete: boolean) {
  const { forecaster, error, origins } = chooseForecaster(series, steps, seasons, discrete);
  return {
    values: forecaster.forecast(series, series.values.length, steps),
    method: forecaster.method,
    error,
    origins,
  };
}

/** Returns the latest value of each grid cell, with categories as codes; NaN for cells without a row or value. */
export function onGrid(column: Column, indexes: Float64Array, first: number, length: number): Float64Array {
  const values = new Float64Array(length).fill(Number.NaN);
  indexes.forEach((index, row) => {
    if (index < first) return;
    const value = column.type === "category" ? column.codes[row]! : column.values[row]!;
    const isMissing = column.type === "category" ? value < 0 : Number.isNaN(value);
    if (!isMissing) values[index - first] = value;
  });
  return values;
}

/** Returns the column with forecasts, of codes for categories, in place of its values. */
export function withForecast(column: Column, values: Float64Array): Column {
  return column.type === "category"
    ? { ...column, codes: Int32Array.from(values, (code) => (Number.isNaN(code) ? -1 : code)) }
    : { ...column, values };
}

export function isDiscrete(column: Column, values: Float64Array): boolean {
  if (column.type === "category" || column.type === "boolean") return true;
  const distinct = new Set<number>();
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (!Number.isInteger(value)) return false;
    distinct.add(value);
    if (distinct.size > CODES_MAX) return false;
  }
  return true;
}
