import type { Table } from "#lib/contract/table";
import { createGrid, type GridDefinition } from "#lib/engine/features/grid";
import { indexSeries, rowsOfSeries, seriesKey } from "#lib/engine/panel/series-index";
import { numericValues } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { type KnownSeries, knownSeries } from "./known-series.ts";

/**
 * The known rows of many series. As a `KnownSeries` it holds no values of its own: `end` is the first grid index after the
 * newest target of all series, and `table` holds the rows of all.
 */
export type KnownPanel = KnownSeries & {
  /** Returns the known rows of a series by its values; null if there are none. */
  seriesOf(values: readonly string[]): KnownSeries | null;
  /** Values of all series, in the order of their first rows. */
  readonly all: readonly string[][];
};

export const isPanel = (known: KnownSeries | null): known is KnownPanel =>
  known !== null && "seriesOf" in known;

/**
 * Divides known rows by series. Each series is put on the grid when it is first read, because a request often reads few of
 * them.
 *
 * @param columns names of the series columns
 */
export function knownPanel(
  table: Table,
  {
    columns,
    timestamp,
    target,
    grid,
  }: { columns: readonly string[]; timestamp: string; target: string; grid: GridDefinition },
): KnownPanel {
  const index = indexSeries(table, columns);
  const rows = rowsOfSeries(index);
  const places = new Map(index.values.map((values, place) => [seriesKey(values), place]));
  const made: (KnownSeries | undefined)[] = [];
  const ofPlace = (place: number) => knownSeries(takeRows(table, rows[place]!), { timestamp, target, grid });
  return {
    table,
    firstIndex: 0,
    observed: new Float64Array(),
    rowAt: new Int32Array(),
    end: endOf(table, { timestamp, target, grid }),
    all: index.values,
    seriesOf(values) {
      const place = places.get(seriesKey(values));
      if (place === undefined) return null;
      made[place] ??= ofPlace(place);
      return made[place];
    },
  };
}

/** Returns the first grid index after the newest row with a target; 0 without one. */
function endOf(
  table: Table,
  { timestamp, target, grid }: { timestamp: string; target: string; grid: GridDefinition },
): number {
  const times = numericValues(table, timestamp);
  const targets = numericValues(table, target);
  let newest = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < times.length; row++)
    if (times[row]! > newest && !Number.isNaN(targets[row]!)) newest = times[row]!;
  return Number.isFinite(newest) ? createGrid(grid).indexOf(newest) + 1 : 0;
}
