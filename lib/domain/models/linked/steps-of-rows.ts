import type { Table } from "#lib/contract/table";
import { createGrid, type GridDefinition } from "#lib/engine/features/grid";
import { indexSeries, rowsOfSeries, seriesKey } from "#lib/engine/panel/series-index";
import { lastNotAfter } from "#lib/engine/series/window";
import { findColumn, numericValues } from "#lib/engine/table/columns";

/** Series columns and grid of an upstream project. */
type Upstream = { timestamp: string; grid: GridDefinition | null; columns: readonly string[] };

/**
 * Returns the row of `steps` whose step a row of another project falls into, or -1 before the first step. With many series, a row
 * takes the steps of the series that it names, so one temperature per region feeds every store of the region.
 *
 * @param steps rows of the upstream project, ascending in time within each series
 * @param times time of each row of the other project, epoch milliseconds
 * @param table the other project's rows, with the series columns of the upstream project
 */
export function stepsOfRows(
  steps: Table,
  { times, table }: { times: Float64Array; table: Table },
  { timestamp, grid, columns }: Upstream,
): Int32Array {
  const cell = grid === null ? (time: number) => time : createGrid(grid).indexOf;
  const places = numericValues(steps, timestamp).map(cell);
  if (columns.length === 0) return Int32Array.from(times, (time) => lastNotAfter(places, cell(time)));
  const theirs = indexSeries(steps, columns);
  const rows = rowsOfSeries(theirs);
  const own = indexSeries(table, columns);
  const ofKey = new Map(theirs.values.map((values, place) => [seriesKey(values), place]));
  const placeOf = own.values.map((values) => ofKey.get(seriesKey(values)) ?? -1);
  const placesOf = rows.map((some) => Float64Array.from(some, (row) => places[row]!));
  return Int32Array.from(times, (time, row) => {
    const series = placeOf[own.ofRow[row]!]!;
    if (series === -1) return -1;
    const at = lastNotAfter(placesOf[series]!, cell(time));
    return at === -1 ? -1 : rows[series]![at]!;
  });
}

/** Returns why rows cannot be joined to the series of an upstream project; null if they can. */
export function whyNotJoined(table: Table, target: string, columns: readonly string[] = []): string | null {
  const absent = columns.filter((name) => findColumn(table, name)?.type !== "category");
  if (absent.length === 0) return null;
  const names = absent.map((name) => JSON.stringify(name)).join(", ");
  return `"${target}" has many series, and the rows have no column ${names} that says which one they take`;
}
