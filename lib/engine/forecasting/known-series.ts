import type { Table } from "#lib/contract/table";
import { createGrid, type GridDefinition } from "#lib/engine/features/grid";
import { numericValues } from "#lib/engine/table/columns";

/** The rows of a series on its grid: the observed values and the position of each row. */
export type KnownSeries = {
  table: Table;
  /** Grid index of `observed[0]`. */
  firstIndex: number;
  /** The target by grid cell, up to the last row; NaN where the series has a gap. */
  observed: Float64Array;
  /** Table row of each grid cell, counted from `firstIndex`; -1 for cells without a row. */
  rowAt: Int32Array;
  /** First grid index after the last row with a target. Later rows hold only inputs. */
  end: number;
};

/**
 * Places a series on its grid. If several rows fall into one cell, the latest row with a target is used; without one, the
 * latest row. Rows without a timestamp are skipped. Targets at the times `ignored` count as missing. A table without rows gives an empty series that ends at the grid's start.
 */
export function knownSeries(
  table: Table,
  {
    timestamp,
    target,
    grid,
    ignored = [],
  }: { timestamp: string; target: string; grid: GridDefinition; ignored?: readonly number[] },
): KnownSeries {
  const { indexOf } = createGrid(grid);
  const indexes = numericValues(table, timestamp).map(indexOf);
  const hidden = new Set(ignored.map(indexOf));
  const targets = numericValues(table, target).map((value, row) =>
    hidden.has(indexes[row]!) ? Number.NaN : value,
  );
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const index of indexes) {
    if (Number.isNaN(index)) continue;
    if (index < first) first = index;
    if (index > last) last = index;
  }
  const firstIndex = Number.isFinite(first) ? first : 0;
  const length = Number.isFinite(last) ? last - firstIndex + 1 : 0;
  const observed = new Float64Array(length).fill(Number.NaN);
  const rowAt = new Int32Array(length).fill(-1);
  indexes.forEach((index, row) => {
    if (Number.isNaN(index)) return;
    const cell = index - firstIndex;
    if (Number.isNaN(targets[row]!) && !Number.isNaN(observed[cell]!)) return;
    observed[cell] = targets[row]!;
    rowAt[cell] = row;
  });
  const lastKnown = observed.findLastIndex((value) => !Number.isNaN(value));
  return { table, firstIndex, observed, rowAt, end: firstIndex + lastKnown + 1 };
}

/**
 * Returns the series with its end a whole number of horizons after the cell `before`, at or after the cell `last`. Forecast
 * origins are counted back from the end, so the first one after `before` is right after it.
 */
export function endedAfter(
  known: KnownSeries,
  { before, last, horizon }: { before: number; last: number; horizon: number },
): KnownSeries {
  return { ...known, end: before + 1 + Math.ceil((last - before) / horizon) * horizon };
}
