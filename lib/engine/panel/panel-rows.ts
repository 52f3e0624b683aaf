import type { Table } from "#lib/contract/table";
import { indexSeries, type SeriesIndex } from "./series-index.ts";

/** Columns of a panel that say to which series a row belongs, and to which level a series. */
export type PanelColumns = {
  /** Names of the series columns. */
  columns: readonly string[];
  /** Names of the columns that are constant within each series, such as the region of a store. */
  levels: readonly string[];
};

/**
 * Series and times of the rows of a panel, found once and then read by every sum. `columns` are the series columns, followed by
 * the level columns.
 */
export type PanelRows = SeriesIndex & {
  /** Number of the series columns among `columns`. */
  keys: number;
  /** Each time of the rows once, in ascending order (epoch milliseconds). */
  times: Float64Array;
  /** Place in `times` of each row. */
  timeOf: Int32Array;
};

/**
 * Finds the series and the times of the rows.
 *
 * @param table has the columns as categories. A series takes its levels from its first row
 * @param timestamps time of each row, epoch milliseconds
 */
export function panelRows(
  table: Table,
  timestamps: Float64Array,
  { columns, levels }: PanelColumns,
): PanelRows {
  const { values, ofRow } = indexSeries(table, columns);
  const ofLevels = indexSeries(table, levels);
  const firstRow = new Int32Array(values.length).fill(-1);
  ofRow.forEach((place, row) => {
    if (firstRow[place] === -1) firstRow[place] = row;
  });
  const times = Float64Array.from(new Set(timestamps)).sort();
  const placeOf = new Map(Array.from(times, (time, place) => [time, place]));
  return {
    columns: [...columns, ...levels],
    keys: columns.length,
    values: values.map((own, place) => [...own, ...ofLevels.values[ofLevels.ofRow[firstRow[place]!]!]!]),
    ofRow,
    times,
    timeOf: Int32Array.from(timestamps, (time) => placeOf.get(time)!),
  };
}

/** Returns the values of a series' own columns, without its levels. */
export const keyValues = ({ values, keys }: PanelRows, series: number): string[] =>
  values[series]!.slice(0, keys);
