import type { PanelRows } from "./panel-rows.ts";
import { seriesKey } from "./series-index.ts";
import type { Chosen } from "./sum-series.ts";

/** Restriction of one column to some of its values. */
export type Where = { column: string; values: readonly string[] };

/**
 * Returns the series that match: the values of one column are alternatives, and columns restrict each other.
 *
 * @param series keys of series (`seriesKey` of their own columns) to choose from; null: all
 * @returns null if every series matches
 */
export function chooseSeries(
  { columns, values, keys }: PanelRows,
  { series, where }: { series: ReadonlySet<string> | null; where: readonly Where[] },
): Chosen {
  if (series === null && where.length === 0) return null;
  const tests = where.map(({ column, values: accepted }) => ({
    at: columns.indexOf(column),
    accepted: new Set(accepted),
  }));
  return Uint8Array.from(values, (own) => {
    const isNamed = series === null || series.has(seriesKey(own.slice(0, keys)));
    return isNamed && tests.every(({ at, accepted }) => accepted.has(own[at]!)) ? 1 : 0;
  });
}

/** Groups of series of one or several panels. Series of all panels with the same values form a group. */
export type SeriesGroups = {
  /** Values of each group, in the order of the grouping columns. */
  values: string[][];
  /** Group of each series of each panel; -1 for a series that is not chosen. */
  groupOf: Int32Array[];
  /** Number of different series in each group. */
  sizes: Int32Array;
};

/** Groups the chosen series by the values of columns, which every panel has. */
export function groupSeries(
  panels: readonly { panel: PanelRows; chosen: Chosen }[],
  by: readonly string[],
): SeriesGroups {
  const places = new Map<string, number>();
  const values: string[][] = [];
  const members: Set<string>[] = [];
  const groupOf = panels.map(({ panel, chosen }) => {
    const at = by.map((column) => panel.columns.indexOf(column));
    return Int32Array.from(panel.values, (own, series) => {
      if (chosen !== null && chosen[series] === 0) return -1;
      const group = at.map((place) => own[place]!);
      const key = seriesKey(group);
      let place = places.get(key);
      if (place === undefined) {
        place = values.push(group) - 1;
        places.set(key, place);
        members.push(new Set());
      }
      members[place]!.add(seriesKey(own.slice(0, panel.keys)));
      return place;
    });
  });
  return { values, groupOf, sizes: Int32Array.from(members, ({ size }) => size) };
}

/** Returns the groups in descending order of their absolute totals. Equal totals are in the order of their values. */
export function rankGroups(values: readonly (readonly string[])[], totals: ArrayLike<number>): Int32Array {
  const sizeOf = (group: number) => Math.abs(totals[group]!) || 0;
  const textOf = values.map(seriesKey);
  return Int32Array.from(values.keys()).sort(
    (a, b) => sizeOf(b) - sizeOf(a) || (textOf[a]! < textOf[b]! ? -1 : 1),
  );
}
