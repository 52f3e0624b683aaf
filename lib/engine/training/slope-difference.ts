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
/** Maximum length of that forecast, and latest rows that a slope is estimated from. */
const STEPS_MAX = 10_000;

/**
 * Returns by how much the slope of far forecasts differs from that of the past, per step. Both are slopes of what the
 * inputs do not explain. One-step errors, by which methods and their parameters are chosen, hardly show a weak trend: a
 * method that leaves it out misses far steps. A model with lags of the target forecasts from the inputs of the latest
 * rows, so that their effects are in both slopes and cancel. Returns 0 without a series.
 */
export async function slopeDifference(context: CandidateContext, kept: Fitted): Promise<number> {
  const { data, known, target, horizon } = context;
  const { learner, pipeline } = kept;
  if (data.grid === null || known === null) return 0;
  const pastSlope = (values: Float64Array) =>
    slopeOf(values, naiveSeasons(data.grid!.frequency, values.length).at(-1)!);
  if (learner.kind === "series") {
    const steps = Math.min(horizon ?? 1, STEPS_MAX);
    const remainder = remainderOf(pipeline, learner, known);
    const start = Math.min(...learner.methods.map((method) => method.start));
    const past = remainder.values.slice(Math.max(0, start - known.firstIndex), known.end - known.firstIndex);
    const combination = startCombination(learner.methods, learner.mean);
    combination.advance(remainder, known.end);
    const { level } = combination.forecast(FAR_HORIZONS * steps);
    return Math.abs(pastSlope(past) - slopeOf(level.subarray(steps), 1));
  }
  const predictor = predictorOf(context, kept);
  if (predictor.readsTarget) {
    const { table, cells } = repeatedRows(context, known);
    const { predictions } = await predictor.predict(table, known);
    return Math.abs(pastSlope(cells.map((value, step) => value - predictions[step]!)));
  }
  const rows = sliceRows(data.table, Math.max(0, data.table.rowCount - STEPS_MAX));
  const { predictions } = await predictor.predict(rows, known);
  return Math.abs(pastSlope(numericValues(rows, target).map((value, row) => value - predictions[row]!)));
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
