import type { Table } from "#lib/contract/table";
import { createGrid, type GridDefinition } from "#lib/engine/features/grid";
import { firstRow, type RowWindow } from "#lib/engine/series/window";
import { numericValues } from "#lib/engine/table/columns";

/**
 * Rows with a known target in ascending time order, the names of their timestamp and target columns, and the grid of the
 * timestamps; null without a regular step.
 */
export type KnownTarget = { known: Table; timestamp: string; target: string; grid: GridDefinition | null };

/** Returns the actual value at the step of a time (epoch milliseconds); NaN if unknown. */
type ActualAt = (time: number) => number;

/** Returns a function that maps a time (epoch milliseconds) to its grid step. Without a grid, each time is its own step. */
export function stepOf(grid: GridDefinition | null): (time: number) => number {
  return grid === null ? (time) => time : createGrid(grid).indexOf;
}

/** Returns a lookup of the target value by grid step. If two rows share a step, the later row wins. */
export function actualsOf({ known, timestamp, target, grid }: KnownTarget): ActualAt {
  const step = stepOf(grid);
  const times = numericValues(known, timestamp);
  const values = numericValues(known, target);
  const first = step(times[0] ?? Number.NaN);
  const last = step(times.at(-1) ?? Number.NaN);
  return (time) => {
    const wanted = step(time);
    // Most rows of most scenarios lie after the last known step.
    if (!(wanted >= first && wanted <= last)) return Number.NaN;
    const row = firstRow(times, (known) => step(known) > wanted) - 1;
    return step(times[row]!) === wanted ? values[row]! : Number.NaN;
  };
}

/** Returns the window of ascending times that lie between the first and the last known step. */
export function knowableRows({ known, timestamp, grid }: KnownTarget, times: Float64Array): RowWindow {
  const step = stepOf(grid);
  const all = numericValues(known, timestamp);
  const first = step(all[0] ?? Number.NaN);
  const last = step(all.at(-1) ?? Number.NaN);
  const start = firstRow(times, (time) => step(time) >= first);
  return {
    start,
    end: Math.max(
      start,
      firstRow(times, (time) => step(time) > last),
    ),
  };
}

/** Returns the actual value at each of these ascending times: NaN if unknown. Returns null if all values are unknown. */
export function actualsAmong(target: KnownTarget, times: Float64Array): Float64Array | null {
  const { start, end } = knowableRows(target, times);
  const actualAt = actualsOf(target);
  const some = times.subarray(start, end).map((time) => actualAt(time));
  if (some.every((value) => Number.isNaN(value))) return null;
  const actual = new Float64Array(times.length).fill(Number.NaN);
  actual.set(some, start);
  return actual;
}
