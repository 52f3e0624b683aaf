import type { DatasetSeries } from "#lib/contract/datasets";
import { defaultHorizon } from "#lib/engine/features/frequency";
import { createGrid, type GridDefinition } from "#lib/engine/features/grid";
import { findColumn } from "#lib/engine/table/columns";
import { levelColumns } from "./level-columns.ts";
import { lastTargets, type Panel } from "./panel.ts";
import { indexSeries } from "./series-index.ts";

/** Series with fewer targets are predicted from the others alone. */
export const SHORT_SERIES_ROWS = 10;

type Description = {
  description: DatasetSeries;
  /** Places of the series whose last target is more than one forecast horizon before the newest. */
  ended: number[];
  /** Places of the series with too few targets. */
  short: number[];
};

/**
 * Describes the series of a panel: their levels, lengths and ends.
 *
 * @param grid steps of the series; null without a regular step
 * @param inputs names of columns that may be levels
 */
export function describeSeries(
  panel: Panel,
  { target, grid, inputs }: { target: string; grid: GridDefinition | null; inputs: readonly string[] },
): Description {
  const { table, index, starts } = panel;
  const lengths = index.values.map((_, place) => starts[place + 1]! - starts[place]!);
  const short = placesWhere(countTargets(panel, target), (count) => count < SHORT_SERIES_ROWS);
  const ended = grid === null ? [] : endedSeries(lastTargets(panel, target), grid);
  const description = {
    columns: [...index.columns],
    count: index.values.length,
    levels: levelsOf(panel, levelColumns(table, index, inputs)),
    minRows: lengths.reduce((least, length) => Math.min(least, length), Infinity),
    maxRows: lengths.reduce((most, length) => Math.max(most, length), 0),
    ended: ended.length,
    short: short.length,
  };
  return { description, ended, short };
}

/** Returns the total, each series column and level column, and all series columns together. */
function levelsOf({ table, index, starts }: Panel, attributes: readonly string[]): DatasetSeries["levels"] {
  const { columns, values } = index;
  const single = columns.length === 1 ? [] : columns;
  const levels = [...attributes, ...single]
    .map((name) => {
      const { ofRow, values: groups } = indexSeries(table, [name]);
      return { name, count: groups.length, ofSeries: values.map((_, place) => ofRow[starts[place]!]!) };
    })
    .sort((a, b) => a.count - b.count);
  return [
    { name: "Total", columns: [], count: 1, within: [] },
    ...levels.map(({ name, count, ofSeries }) => {
      const known = levels.filter((one) => one.name !== name && isWithin(ofSeries, one.ofSeries));
      return { name, columns: [name], count, within: known.map((one) => one.name) };
    }),
    {
      name: columns.join(", "),
      columns: [...columns],
      count: values.length,
      within: levels.map(({ name }) => name),
    },
  ];
}

/** Returns whether all series of each group are in one group of another column. */
function isWithin(groups: readonly number[], others: readonly number[]): boolean {
  const otherOf = new Map<number, number>();
  return groups.every((group, place) => {
    const known = otherOf.get(group);
    if (known === undefined) otherOf.set(group, others[place]!);
    return known === undefined || known === others[place];
  });
}

function countTargets({ table, index, starts }: Panel, target: string): Int32Array {
  const column = findColumn(table, target)!;
  const isKnown =
    column.type === "category"
      ? (row: number) => column.codes[row]! >= 0
      : (row: number) => !Number.isNaN(column.values[row]!);
  return Int32Array.from(index.values, (_, place) => {
    let count = 0;
    for (let row = starts[place]!; row < starts[place + 1]!; row++) if (isKnown(row)) count++;
    return count;
  });
}

function endedSeries(lasts: Float64Array, grid: GridDefinition): number[] {
  const { indexOf } = createGrid(grid);
  const ends = lasts.map((time) => indexOf(time));
  const newest = largest(ends);
  return placesWhere(ends, (end) => newest - end > defaultHorizon(grid.frequency));
}

/** Returns the largest value, ignoring NaN; -Infinity without one. */
export function largest(values: Float64Array): number {
  return values.reduce((most, value) => (Number.isNaN(value) ? most : Math.max(most, value)), -Infinity);
}

function placesWhere(values: ArrayLike<number>, isFound: (value: number) => boolean): number[] {
  return Array.from(values).flatMap((value, place) => (isFound(value) ? [place] : []));
}
