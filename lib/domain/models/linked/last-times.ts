import type { Table } from "#lib/contract/table";
import { indexSeries, seriesKey } from "#lib/engine/panel/series-index";
import { numericValues } from "#lib/engine/table/columns";

/**
 * Finds the last time of each series that a model keeps. Returns a function for the rows of a table: it returns, for a row, the
 * last kept time of its series (epoch milliseconds), and minus infinity for a series that the model does not keep.
 *
 * @param columns names of the series columns, which both tables hold as categories
 */
export function lastTimes(
  history: Table,
  { timestamp, columns }: { timestamp: string; columns: readonly string[] },
): (table: Table) => (row: number) => number {
  const { values, ofRow } = indexSeries(history, columns);
  const times = numericValues(history, timestamp);
  const last = new Float64Array(values.length).fill(Number.NEGATIVE_INFINITY);
  ofRow.forEach((place, row) => {
    if (times[row]! > last[place]!) last[place] = times[row]!;
  });
  const lastOf = new Map(values.map((own, place) => [seriesKey(own), last[place]!]));
  return (table) => {
    const index = indexSeries(table, columns);
    const ofPlace = index.values.map((own) => lastOf.get(seriesKey(own)) ?? Number.NEGATIVE_INFINITY);
    return (row) => ofPlace[index.ofRow[row]!]!;
  };
}
