import type { Table } from "#lib/contract/table";
import { buildFeatures, type FeatureMatrix, gridIndexes } from "#lib/engine/features/build-features";
import { createGrid } from "#lib/engine/features/grid";
import { forecastOrigin, stepsAhead } from "#lib/engine/features/target-history";
import { isPanel, type KnownPanel } from "#lib/engine/forecasting/known-panel";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import type { RowPredictions } from "#lib/engine/forecasting/predict-rows";
import { indexSeries, rowsOfSeries, seriesKey } from "#lib/engine/panel/series-index";
import { forecastGlobal } from "#lib/engine/panel-model/forecast-global";
import { forecastLocal, remaindersOf } from "#lib/engine/panel-model/forecast-series";
import { calendarReader, codesOf } from "#lib/engine/panel-model/global-features";
import { smoothing } from "#lib/engine/panel-model/local-methods";
import { effectsAt, type PanelLearner, type SeriesEffects } from "#lib/engine/panel-model/panel-learner";
import { correctionOf } from "#lib/engine/panel-model/reconciliation";
import { addEffects, effectSums } from "#lib/engine/panel-model/remainder";
import { levelOfUnknown } from "#lib/engine/panel-model/unknown-series";
import type { Combined, Observations } from "#lib/engine/series-methods/combination";
import { findColumn } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { evaluatorOfLearner } from "./evaluate.ts";
import { panelContributions } from "./panel-contributions.ts";
import type { PredictorSettings, RowPredictor } from "./row-predictor.ts";

/** Smoothing rate of a series with known rows that the model has not learned. */
const NEW_SERIES_RATE = 0.3;

/** A series of a table: what the model knows of it, and its remainders so far. */
type SeriesState = SeriesEffects & {
  /** Place in the learner; -1 for a series that it has not learned. */
  place: number;
  local: Combined;
  error: number;
  observed: Observations;
  end: number;
};

/**
 * Creates the predictor of a model of many series. Each row is predicted from its own inputs, its series' known rows before
 * the forecast origin, and its step ahead. For rows after the known rows of a series, the origin is their end; within them,
 * origins lie every `horizon` steps back. So a row has the same bits in every table that holds it.
 */
export function panelPredictor(settings: PredictorSettings, learner: PanelLearner): RowPredictor {
  const { pipeline, horizon, floor } = settings;
  const { link, columns } = learner;
  const places = new Map(learner.values.map((values, place) => [seriesKey(values), place]));
  const trees = learner.global && {
    global: learner.global,
    evaluate: evaluatorOfLearner(learner.global.ensemble),
    calendar: calendarReader(learner.global, pipeline.timezone),
  };
  const { timeAt } = createGrid(pipeline.grid!);
  const observedOf = new WeakMap<Float64Array, Observations>();

  const stateOf = (values: readonly string[], table: Table, known: KnownPanel): SeriesState => {
    const place = places.get(seriesKey(values)) ?? -1;
    const series = known.seriesOf(values);
    const isKnown = series !== null && series.end > series.firstIndex;
    if (place >= 0) {
      const effects = effectsAt(learner, place);
      const observed = series ? cached(series, effects, learner.local[place]!.ignored) : NOTHING;
      const end = isKnown ? series.end : known.end;
      return {
        ...effects,
        place,
        local: learner.local[place]!,
        error: learner.errors[place]!,
        observed,
        end,
      };
    }
    return isKnown ? newSeries(series) : unknownSeries(table, known.end);
  };
  const cached = (series: KnownSeries, effects: SeriesEffects, ignored?: readonly number[]): Observations => {
    const made = observedOf.get(series.observed) ?? remaindersOf(pipeline, link, effects, series, ignored);
    observedOf.set(series.observed, made);
    return made;
  };
  /** Returns a series that has rows, but that the model has not learned: with the effects of a typical series. */
  const newSeries = (series: KnownSeries): SeriesState => {
    const built = buildFeatures(pipeline, series.table).columns;
    const own = series.observed.filter((value) => !Number.isNaN(value));
    const scale = own.reduce((sum, value) => sum + Math.abs(value), 0) / own.length || 1;
    const effects = { effects: learner.pooled, centers: Float64Array.from(built, meanOf), scale };
    const observed = cached(series, effects);
    const first = observed.values.find((value) => !Number.isNaN(value)) ?? 0;
    const methods = [{ parameters: smoothing(first, NEW_SERIES_RATE), start: observed.firstIndex }];
    const error = learner.unknown.error * scale;
    return { ...effects, place: -1, local: { methods, mean: first }, error, observed, end: series.end };
  };
  const unknownSeries = (row: Table, end: number): SeriesState => {
    const level = levelOfUnknown(learner.unknown, link, (name) => textOf(row, name));
    const scale = Math.abs(level) || 1;
    const effects = { effects: learner.pooled, centers: learner.typical, scale };
    const local = { methods: [], mean: level };
    return { ...effects, place: -1, local, error: learner.unknown.error * scale, observed: NOTHING, end };
  };

  /** Mixes the local forecasts with those of the trees, if the series' group uses them. */
  const withTrees = (
    { place, observed, scale }: SeriesState,
    local: Float64Array,
    { indexes, origins }: { indexes: Float64Array; origins: Float64Array },
    row: Table,
  ): Float64Array => {
    const weight = place < 0 ? 0 : learner.weights[learner.groups[place]!]!;
    if (!trees || weight === 0) return local;
    const codes = codesOf(trees.global, (name) => textOf(row, name));
    const cells = Array.from(indexes, (index, at) => ({
      index,
      origin: origins[at]!,
      instant: timeAt(index),
    }));
    const corrected = forecastGlobal(trees, { observed, scale, codes }, cells);
    return corrected.map((value, at) => {
      const bounded = (one: number) => (link === "log" ? Math.max(0, one) : one);
      return weight * bounded(value) + (1 - weight) * bounded(local[at]!);
    });
  };

  const correctionAt = (place: number, cell: number): number =>
    place < 0 || !learner.reconciliation ? 0 : correctionOf(learner.reconciliation, place, cell);

  const predict = (table: Table, known: KnownPanel, keepFeatures: boolean): RowPredictions => {
    const index = indexSeries(table, columns);
    const features: FeatureMatrix = buildFeatures(pipeline, table);
    const cells = gridIndexes(pipeline, table);
    const predictions = new Float64Array(table.rowCount);
    const past = { values: new Float64Array(table.rowCount), level: new Float64Array(table.rowCount) };
    const steps = new Int32Array(table.rowCount);
    const scales = new Float64Array(table.rowCount);
    let rowsOfUnknownSeries = 0;
    rowsOfSeries(index).forEach((rows, at) => {
      const state = stateOf(index.values[at]!, takeRows(table, rows.subarray(0, 1)), known);
      if (state.place < 0) rowsOfUnknownSeries += rows.length;
      const indexes = Float64Array.from(rows, (row) => cells[row]!);
      const origins = indexes.map((cell) => forecastOrigin(cell, state.end, horizon ?? 1));
      const ahead = forecastLocal(state.local, state.observed, { indexes, origins });
      const remainders = withTrees(
        state,
        ahead.values,
        { indexes, origins },
        takeRows(table, rows.subarray(0, 1)),
      );
      const own = features.columns.map((column) => Float32Array.from(rows, (row) => column[row]!));
      const sums = effectSums(state, own, rows.length);
      const counted = stepsAhead(indexes, state.end, horizon ?? 1);
      rows.forEach((row, i) => {
        const correction = indexes[i]! < state.end ? 0 : correctionAt(state.place, indexes[i]!);
        const corrected = remainders[i]! + correction;
        const remainder = link === "log" ? Math.max(0, corrected) : corrected;
        const value = addEffects(link, remainder, sums[i]!, state.scale);
        predictions[row] = floor !== null && value < floor ? floor : value;
        past.values[row] = remainder;
        past.level[row] = ahead.level[i]! + correction;
        steps[row] = counted[i]!;
        scales[row] = state.error * (link === "log" ? addEffects(link, 1, sums[i]!, 1) : 1);
      });
    });
    return {
      predictions,
      features: keepFeatures ? features : null,
      past,
      steps,
      rowsWithoutHistory: 0,
      scales,
      rowsOfUnknownSeries,
    };
  };
  return {
    readsTarget: true,
    rowsBuildOnEachOther: false,
    async predict(table, known, keepFeatures = false) {
      if (!isPanel(known)) throw new RangeError("A model of many series needs the known rows of all series.");
      return predict(table, known, keepFeatures);
    },
    async explain(table, rows, explained = [...rows.predictions.keys()]) {
      return panelContributions({ learner, pipeline, places }, table, rows, explained);
    },
    plain: () => learner,
  };
}

const NOTHING: Observations = { values: new Float64Array(), firstIndex: 0 };

function textOf(table: Table, name: string): string {
  const column = findColumn(table, name);
  return column?.type === "category" ? (column.categories[column.codes[0]!] ?? "") : "";
}

/** Returns the mean of the values present; NaN without any. */
function meanOf(values: Float32Array): number {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return sum / count;
}
