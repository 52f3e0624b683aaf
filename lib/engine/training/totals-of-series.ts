import { groupsBy, levelsOf } from "./panel-metrics.ts";
import type { PanelData } from "./prepare-panel.ts";

/** Maximum number of values of all totals together. Each total gets methods that take some 100 times as long as those of a series. */
const VALUES_MAX = 25_000;
/** Minimum number of series that a total has on average. */
const SERIES_MIN = 2;
/** Part of the usual size of a total whose series must be known at a time. */
const KNOWN_MIN = 0.5;

/** Totals that get own forecasts. */
export type Totals = {
  levels: number;
  count: number;
  /** Totals of each series: one row for each series. */
  members: Int32Array;
};

/** Returns the totals of as many levels as the limit allows, those with the fewest groups first; null without any. */
export function totalsOf(data: PanelData): Totals | null {
  const series = data.index.values.length;
  const chosen: Int32Array[] = [];
  let count = 0;
  const levels = levelsOf(data)
    .map((by) => Int32Array.from(data.index.values.keys(), groupsBy(data, by)))
    .map((groups) => ({ groups, size: groups.reduce((most, group) => Math.max(most, group + 1), 0) }))
    .sort((a, b) => a.size - b.size);
  for (const { groups, size } of levels) {
    const isDistinct = size === 1 ? chosen.length === 0 : SERIES_MIN * size <= series;
    if (!isDistinct || series < SERIES_MIN || (count + size) * (data.end - data.first) > VALUES_MAX) continue;
    const before = count;
    chosen.push(groups.map((group) => before + group));
    count += size;
  }
  if (chosen.length === 0) return null;
  const members = new Int32Array(series * chosen.length);
  chosen.forEach((groups, level) => {
    groups.forEach((total, place) => {
      members[place * chosen.length + level] = total;
    });
  });
  return { levels: chosen.length, count, members };
}

/** Series that take part in totals: what they are usually, and which ones are not over. */
export type Parts = { means: Float64Array; scales: Float64Array; isActive: Uint8Array };

/**
 * Starts sums of series by total and column, such as a time. A value that is missing counts as deviating from its mean like
 * the rest of the total, so that neither gaps nor series that begin later look like changes of the total.
 */
export function startSums(
  { levels, count, members }: Totals,
  { means, scales, isActive }: Parts,
  width: number,
) {
  const sums = new Float64Array(count * width);
  const known = new Float64Array(count * width);
  const usual = new Float64Array(count);
  const size = new Float64Array(count);
  for (let place = 0; place < means.length; place++) {
    if (!isActive[place]) continue;
    for (let level = 0; level < levels; level++) {
      const total = members[place * levels + level]!;
      usual[total]! += means[place]!;
      size[total]! += scales[place]!;
    }
  }
  return {
    add(place: number, column: number, value: number): void {
      if (!isActive[place] || Number.isNaN(value)) return;
      for (let level = 0; level < levels; level++) {
        const at = members[place * levels + level]! * width + column;
        sums[at]! += value - means[place]!;
        known[at]! += scales[place]!;
      }
    },
    /** Returns the values of each total, one row after the other; NaN where too few series are known. */
    totals(): Float64Array {
      return sums.map((sum, at) => {
        const total = Math.floor(at / width);
        if (!(known[at]! >= KNOWN_MIN * size[total]!) || size[total] === 0) return Number.NaN;
        return usual[total]! + (sum * size[total]!) / known[at]!;
      });
    },
  };
}
