import { type Alignable, ascendingRows, gather, isAscending, merge } from "./align.ts";
import { rowsBetween } from "./window.ts";

/**
 * The axis of several series, as `align` creates it, cut into stretches. The rows of a stretch are consecutive in the
 * order of their series. Aligning those rows alone gives the stretch, so the rest of the axis need not be in memory.
 */
export type CutAxis = {
  /** Whether the points are times. Otherwise they are rows. */
  isTimed: boolean;
  /** Index of each series' order. Series with the same times, or as many rows, share an order. */
  orderOf: number[];
  /** Row numbers of each order, or null if the rows are already in order. */
  orders: (Int32Array | null)[];
  /** Start positions of the stretches in each order, followed by the common end. */
  cuts: Int32Array[];
};

type Window = { from?: number; to?: number };

/**
 * Cuts the axis of several series into stretches.
 *
 * @param window inclusive range: epoch milliseconds, or row numbers from 1
 * @param points points per stretch; the last stretch may have fewer
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
