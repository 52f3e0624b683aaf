import { lastNotAfter } from "#lib/engine/features/as-of";
import { createGrid, type GridDefinition } from "#lib/engine/features/grid";

/** Values by time; the times ascend. */
export type PastPredictions = { times: Float64Array; values: Float64Array; grid: GridDefinition | null };

/**
 * As-of join: for each time the prediction for the step of the upstream series that it falls into, or without regular
 * steps the last one up to it. After the series' end what is predicted now.
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
