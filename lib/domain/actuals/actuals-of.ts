import type { Table } from "#lib/contract/table";
import { createGrid, type GridDefinition } from "#lib/engine/features/grid";
import { firstRow, type RowWindow } from "#lib/engine/series/window";
import { numericValues } from "#lib/engine/table/columns";

/** What is known of a target, in the order of time: its column beside that of the times, and the grid that they lie on. */
export type KnownTarget = { known: Table; timestamp: string; target: string; grid: GridDefinition | null };

/** The actual value at the step of a time (epoch milliseconds), NaN where it is not known. */
export type ActualAt = (time: number) => number;

/** The step that a time (epoch milliseconds) lies in; without a grid each time is one. */
export function stepOf(grid: GridDefinition | null): (time: number) => number {
  return grid === null ? (time) => time : createGrid(grid).indexOf;
}

/** The target of a table by the step of its times; of a step that comes twice the later row. */
export function actualsOf({ known, timestamp, target, grid }: KnownTarget): ActualAt {
  const step = stepOf(grid);
  const times = numericValues(known, timestamp);
  const values = numericValues(known, target);
  const first = step(times[0] ?? Number.NaN);
  const last = step(times.at(-1) ?? Number.NaN);
  return (time) => {
    const wanted = step(time);
    // Most rows of most scenarios lie after all that is known.
    if (!(wanted >= first && wanted <= last)) return Number.NaN;
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (step(times[middle]!) <= wanted) low = middle;
      else high = middle - 1;
    }
    return step(times[low]!) === wanted ? values[low]! : Number.NaN;
  };
}

/** Of times that ascend those between the first and the last step that is known: of others nothing is. */
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

/** What was at each of these times, which ascend: NaN where that is not known, null where none of it is. */
export function actualsAmong(target: KnownTarget, times: Float64Array): Float64Array | null {
  const { start, end } = knowableRows(target, times);
  const actualAt = actualsOf(target);
  const some = times.subarray(start, end).map((time) => actualAt(time));
  if (some.every((value) => Number.isNaN(value))) return null;
  const actual = new Float64Array(times.length).fill(Number.NaN);
  actual.set(some, start);
  return actual;
}
