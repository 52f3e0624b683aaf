import { type calendarReader, type FeatureSeries, featureCount, featureWriter } from "./global-features.ts";
import type { GlobalTrees } from "./panel-learner.ts";

/** Evaluates trees: one value for each row of their features. */
export type EvaluateTrees = (columns: Float32Array[], rowCount: number) => Float64Array;

/** A cell of a series to forecast. */
export type ForecastCell = { index: number; origin: number; instant: number };

/** Returns the remainders of a series as the trees forecast them. */
export function forecastGlobal(
  {
    global,
    evaluate,
    calendar,
  }: { global: GlobalTrees; evaluate: EvaluateTrees; calendar: ReturnType<typeof calendarReader> },
  series: FeatureSeries,
  cells: readonly ForecastCell[],
): Float64Array {
  const columns = Array.from({ length: featureCount(global) }, () => new Float32Array(cells.length));
  const write = featureWriter(global, series, calendar);
  const units = cells.map((cell, row) => write(cell, columns, row));
  return evaluate(columns, cells.length).map((value, row) => units[row]!.level + units[row]!.scale * value);
}
