import { createGrid, type GridDefinition } from "#lib/engine/features/grid";
import { lastNotAfter } from "#lib/engine/series/window";

/** Predictions by time, in ascending order. */
export type PastPredictions = { times: Float64Array; values: Float64Array; grid: GridDefinition | null };

/**
 * Joins upstream predictions as of each time. A time gets the prediction of the step it falls into. Without a regular
 * step, a time gets the last earlier prediction. Times after the series' end get the values of `now`.
 *
 * @param now one value per time; null if no values are known after the end
 * @returns one value per time; NaN if unknown
 */
export function asOfJoin(times: Float64Array, past: PastPredictions, now: Float64Array | null): Float64Array {
  const last = past.times.at(-1) ?? Number.NEGATIVE_INFINITY;
  const find = past.grid ? byStep(past, past.grid) : byLastTime(past);
  return times.map((time, row) => {
    const value = find(time);
    const isNews = time > last && (past.grid === null || Number.isNaN(value));
    return isNews && now !== null ? now[row]! : value;
  });
}

function byStep({ times, values }: PastPredictions, definition: GridDefinition): (time: number) => number {
  const { indexOf } = createGrid(definition);
  const byIndex = new Map<number, number>();
  times.forEach((time, row) => {
    byIndex.set(indexOf(time), values[row]!);
  });
  return (time) => byIndex.get(indexOf(time)) ?? Number.NaN;
}

function byLastTime({ times, values }: PastPredictions): (time: number) => number {
  return (time) => values[lastNotAfter(times, time)] ?? Number.NaN;
}
