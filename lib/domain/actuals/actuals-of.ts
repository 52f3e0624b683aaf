import type { Table } from "#lib/contract/table";
import { createGrid, type GridDefinition } from "#lib/engine/features/grid";
import { firstRow, type RowWindow } from "#lib/engine/series/window";
import { numericValues } from "#lib/engine/table/columns";

/**
 * Rows with a known target in ascending time order, the names of their timestamp and target columns, and the grid of the
 * timestamps; null without a regular step.
 */
export type KnownTarget = { known: Table; timestamp: string; target: string; grid: GridDefinition | null };

/** Returns a function that maps a time (epoch milliseconds) to its grid step. Without a grid, each time is its own step. */
export function stepOf(grid: GridDefinition | null): (time: number) => number {
  return grid === null ? (time) => time : createGrid(grid).indexOf;
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

/**
 * Returns the actual value at the step of each of these ascending times: NaN if unknown. If two known rows share a step,
 * the later row wins. Returns null if all values are unknown.
 */
export function actualsAmong(wanted: KnownTarget, times: Float64Array): Float64Array | null {
  const { known, timestamp, target, grid } = wanted;
  const step = stepOf(grid);
  const knownTimes = numericValues(known, timestamp);
  const values = numericValues(known, target);
  // Most rows of most scenarios lie after the last known step.
  const { start, end } = knowableRows(wanted, times);
  const some = times.subarray(start, end).map((time) => {
    const at = step(time);
    const row = firstRow(knownTimes, (one) => step(one) > at) - 1;
    return step(knownTimes[row]!) === at ? values[row]! : Number.NaN;
  });
  if (some.every((value) => Number.isNaN(value))) return null;
  const actual = new Float64Array(times.length).fill(Number.NaN);
  actual.set(some, start);
  return actual;
}
