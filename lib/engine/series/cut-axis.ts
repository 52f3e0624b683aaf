import { type Alignable, ascendingRows, gather, isAscending, merge } from "./align.ts";
import { rowsBetween } from "./window.ts";

/**
 * The axis of several series, as `align` lays them on it, cut into stretches. At each of these stand rows that follow each
 * other in the order of their series, and those alone, aligned, are the stretch: nothing else of the axis need be kept.
 */
export type CutAxis = {
  /** Whether its points are times; else they are rows. */
  isTimed: boolean;
  /** Of each series the number of its order: those of the same times, or of as many rows, have one in common. */
  orderOf: number[];
  /** The rows of each order; null where they are in it as they come. */
  orders: (Int32Array | null)[];
  /** Of each order the places at which the stretches begin, and last those at which all of them end. */
  cuts: Int32Array[];
};

type Window = { from?: number; to?: number };

/**
 * @param window its ends are included: epoch milliseconds, or row numbers from 1
 * @param points of a stretch; the last may have fewer
 */
export function cutAxis(series: readonly Alignable[], window: Window, points: number): CutAxis {
  const times = series.map(({ timestamps }) => timestamps);
  if (!times.every((one) => one !== null))
    return cutByRow(
      series.map(({ rowCount }) => rowCount),
      window,
      points,
    );
  const different = [...new Set(times)];
  const orders = different.map((one) => (isAscending(one) ? null : ascendingRows(one)));
  const within = different.map((one, index) => {
    const order = orders[index]!;
    const ordered = order === null ? one : gather(one, order);
    const { start, end } = rowsBetween(ordered, ordered.length, window.from, window.to);
    return { start, times: ordered.subarray(start, end) };
  });
  const starts = Int32Array.from(within, ({ start }) => start);
  const cuts = [starts];
  const heads = new Int32Array(different.length);
  const each = within.map(({ times }) => times);
  while (merge(each, heads, points, null) > 0) cuts.push(heads.map((head, index) => starts[index]! + head));
  return { isTimed: true, orderOf: times.map((one) => different.indexOf(one)), orders, cuts };
}

function cutByRow(rowCounts: readonly number[], { from, to }: Window, points: number): CutAxis {
  const different = [...new Set(rowCounts)];
  const { start, end } = rowsBetween(null, Math.max(0, ...different), from, to);
  const cutAt = (point: number) => Int32Array.from(different, (rowCount) => Math.min(rowCount, point));
  const cuts = [cutAt(start)];
  for (let point = start; point < end; ) {
    point = Math.min(end, point + points);
    cuts.push(cutAt(point));
  }
  const orderOf = rowCounts.map((rowCount) => different.indexOf(rowCount));
  return { isTimed: false, orderOf, orders: different.map(() => null), cuts };
}
