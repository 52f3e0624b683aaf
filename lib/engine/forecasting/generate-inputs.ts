import type { Column } from "#lib/contract/table";
import { stepMs } from "#lib/engine/features/frequency";
import { createGrid } from "#lib/engine/features/grid";
import { numericValues, requireColumn, selectColumns } from "#lib/engine/table/columns";
import { calendarSeasons, chooseForecaster, type Season } from "./choose-forecaster.ts";
import type { FeatureSeries } from "./forecaster.ts";
import { generatePanelInputs } from "./generate-panel.ts";
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
import { valuesByDate } from "./values-by-date.ts";

/** Maximum number of past cells that forecasters use: more would only slow down the back-test. */
const PAST_CELLS_MAX = 40_000;

/**
 * Generates the model's inputs after its last known row: from the next step to `endDate` (epoch milliseconds,
 * inclusive), or over the validated horizon. Planned rows keep their values, and inputs continue after them. For a model
 * without a timestamp, returns its held-out rows. For many series, continues the inputs of each one to the same end.
 *
 * @throws GenerationImpossible with the reason
 */
export function generateInputs(
  source: GenerationSource,
  options: { endDate?: number | null } = {},
): GeneratedInputs {
  const { state, inputFeatures, history } = source;
  const inputs = inputFeatures.filter(({ role }) => role === "input");
  if (state.timestamp === null) {
    if (!source.heldOut || source.heldOut.rowCount === 0) {
      throw new GenerationImpossible("no_rows", "The model has no held-out rows. Upload a CSV instead.");
    }
    return {
      table: selectColumns(
        source.heldOut,
        inputs.map(({ name }) => name),
      ),
      forecasts: [],
    };
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
  if (state.series) return generatePanelInputs(source, options);
  const grid = createGrid(state.grid);
  const times = numericValues(history, state.timestamp);
  const indexes = times.map(grid.indexOf);
  const lastRow = indexes.reduce((most, index) => Math.max(most, index), Number.NEGATIVE_INFINITY);
  const last = state.lastTimestamp === null ? lastRow : grid.indexOf(state.lastTimestamp);
  const firstRow = indexes.reduce((least, index) => Math.min(least, index), Number.POSITIVE_INFINITY);
  if (last < firstRow) {
    throw new GenerationImpossible(
      "no_rows",
      "All stored rows of the model's series lie after its last known row. Upload a CSV instead.",
    );
  }
  const steps = stepsToGenerate(options.endDate ?? null, last, grid, state.horizon);
  const first = Math.max(firstRow, last - PAST_CELLS_MAX + 1);
  const length = last - first + 1;
  const instants = Float64Array.from({ length: length + steps }, (_, i) => grid.timeAt(first + i));
  const seasons = calendarSeasons(stepMs(state.grid.frequency));
  const columns: Column[] = [{ name: state.timestamp, type: "timestamp", values: instants.slice(length) }];
  const forecasts: GeneratedInputs["forecasts"] = [];
  for (const { name, dateRule } of inputs) {
    const known = requireColumn(history, name);
    const dated = valuesByDate(known, dateRule, { known: times, instants: instants.subarray(length) });
    const column = dated?.column ?? known;
    const all = onGrid(column, indexes, first, length + steps);
    const planned = all.subarray(length);
    const plannedRows = planned.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
    const series = { values: all.subarray(0, length), instants, timezone: state.timezone };
    const exact = planned.map((value, at) => orElse(value, dated?.values[at] ?? Number.NaN));
    const shared = { feature: name, ...(plannedRows > 0 && { plannedRows }) };
    if (!exact.some(Number.isNaN)) {
      const followsDate = plannedRows < steps;
      forecasts.push({
        ...shared,
        method: followsDate ? dated!.method : "planned in the dataset",
        error: 0,
        errorKind: "share",
        origins: 0,
        isExact: true,
        ...(followsDate && { followsDate }),
        preview: previewForecast(column, series, exact),
      });
      columns.push(withForecast(column, exact));
      continue;
    }
    const discrete = isDiscrete(column, series.values);
    const { values: continued, ...choice } = continueSeries(all, series, seasons, discrete);
    const forecast = exact.map((value, at) => orElse(value, continued[at]!));
    // Files and requests hold whole milliseconds, and the same rows must give the same predictions.
    const ahead = column.type === "timestamp" ? forecast.map(Math.round) : forecast;
    const preview = previewForecast(column, series, ahead);
    const errorKind = discrete ? "share" : "absolute";
    forecasts.push({ ...shared, ...choice, errorKind, isExact: false, preview });
    columns.push(withForecast(column, ahead));
  }
  return { table: { rowCount: steps, columns }, forecasts };
}

/**
 * Forecasts the cells after the known ones: from the last planned value on with the planned values as history, before it
 * from the known values.
 *
 * @param all the known cells, and the cells to forecast with the planned values
 */
function continueSeries(
  all: Float64Array,
  { values, ...times }: FeatureSeries,
  seasons: readonly Season[],
  discrete: boolean,
) {
  const length = values.length;
  const steps = all.length - length;
  const end = Math.max(length, all.findLastIndex((value) => !Number.isNaN(value)) + 1);
  const series = { values: all.subarray(0, end), ...times };
  const { forecaster, error, origins } = chooseForecaster(series, steps, seasons, discrete);
  const continued = forecaster.forecast(series, length, steps);
  if (end > length) continued.set(forecaster.forecast(series, end, all.length - end), end - length);
  return { values: continued, method: forecaster.method, error, origins };
}
