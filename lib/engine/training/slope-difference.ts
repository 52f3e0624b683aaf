import type { Column, Table } from "#lib/contract/table";
import { createGrid } from "#lib/engine/features/grid";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import { remainderOf } from "#lib/engine/inference/predict-series";
import { startCombination } from "#lib/engine/series-methods/combination";
import { slopeOf } from "#lib/engine/series-methods/slope";
import { numericValues, withColumn } from "#lib/engine/table/columns";
import { sliceRows, takeRows } from "#lib/engine/table/rows";
import type { CandidateContext, Fitted } from "./candidate.ts";
import { predictorOf } from "./predict-fold.ts";
import { naiveSeasons } from "./seasonality.ts";

/** Horizons ahead up to which the slope of far forecasts is computed. */
const FAR_HORIZONS = 10;
/** Maximum length of such a horizon, in steps. Also the maximum number of latest rows predicted for a slope. */
const STEPS_MAX = 10_000;
/** Minimum movement of a trend over the last of these horizons, as a fraction of the range of the past. */
const TREND_MIN = 0.001;

type Slopes = {
  /** Absolute difference between the slopes of the past and of far forecasts, per step. */
  slopeDifference: number;
  /** Whether series methods continue a trend. The level of a forecast that returns to the mean is flat at far steps. */
  continuesTrend: boolean;
};

/**
 * Compares the slope of far forecasts with that of the past. Both are slopes of the part that the inputs do not explain.
 * A weak trend hardly changes one-step errors, by which methods and their parameters are chosen, but it changes far
 * forecasts. A model with lags of the target forecasts with the inputs of the latest rows, so that the inputs'
 * effects are in both slopes and cancel. The difference is 0 without a series.
 */
export async function compareSlopes(context: CandidateContext, finalModel: Fitted): Promise<Slopes> {
  const { data, known, target, horizon } = context;
  const { learner, pipeline } = finalModel;
  if (data.grid === null || known === null) return { slopeDifference: 0, continuesTrend: false };
  const pastSlope = (values: Float64Array) =>
    slopeOf(values, naiveSeasons(data.grid!.frequency, values.length).at(-1)!);
  if (learner.kind === "series") {
    const steps = Math.min(horizon ?? 1, STEPS_MAX);
    const remainder = remainderOf(pipeline, learner, known);
    const start = Math.min(...learner.methods.map((method) => method.start));
    const past = remainder.values.slice(Math.max(0, start - known.firstIndex), known.end - known.firstIndex);
    const combination = startCombination(learner);
    combination.advance(remainder, known.end);
    const { level } = combination.forecast(FAR_HORIZONS * steps);
    return {
      slopeDifference: Math.abs(pastSlope(past) - slopeOf(level.subarray(steps), 1)),
      continuesTrend: Math.abs(level.at(-1)! - level.at(-1 - steps)!) > TREND_MIN * rangeOf(past),
    };
  }
  const predictor = predictorOf(context, finalModel);
  if (predictor.readsTarget) {
    const { table, cells } = repeatedRows(context, known);
    const { predictions } = await predictor.predict(table, known);
    const errors = cells.map((value, step) => value - predictions[step]!);
    return { slopeDifference: Math.abs(pastSlope(errors)), continuesTrend: false };
  }
  const rows = sliceRows(data.table, Math.max(0, data.table.rowCount - STEPS_MAX));
  const { predictions } = await predictor.predict(rows, known);
  const errors = numericValues(rows, target).map((value, row) => value - predictions[row]!);
  return { slopeDifference: Math.abs(pastSlope(errors)), continuesTrend: false };
}

function rangeOf(values: Float64Array): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most - least;
}

/**
 * Returns the latest cells of a series, a whole number of seasons, and rows with the same inputs right after its end. A gap
 * has the inputs of the row before it.
 */
function repeatedRows(
  { data, timestamp }: CandidateContext,
  { observed, rowAt, end }: KnownSeries,
): { table: Table; cells: Float64Array } {
  const { timeAt } = createGrid(data.grid!);
  const season = naiveSeasons(data.grid!.frequency, observed.length).at(-1)!;
  const longest = Math.min(STEPS_MAX, observed.length);
  const length = Math.floor(longest / season) * season || longest;
  const from = observed.length - length;
  const rows = rowAt.slice();
  // The first cell has a row.
  for (let cell = 1; cell < rows.length; cell++) if (rows[cell]! < 0) rows[cell] = rows[cell - 1]!;
  const instants = Float64Array.from({ length }, (_, step) => timeAt(end + step));
  const time: Column = { name: timestamp!, type: "timestamp", values: instants };
  return {
    table: withColumn(takeRows(data.table, rows.subarray(from)), time),
    cells: observed.subarray(from),
  };
}
