import type { PanelRows } from "./panel-rows.ts";

/**
 * Sums of chosen series of a panel at each time. A read chooses series, adds their rows, and then treats the sum as it treats
 * the predictions of a scenario with one series.
 *
 * For example, the series A with 1, 2 and the series B with 10 at the second time have the total 1, 12.
 */
export type SeriesSum = {
  /** Times of the chosen rows, ascending (epoch milliseconds). */
  timestamps: Float64Array;
  /** Sum at each time; NaN if none of the rows has a value. */
  prediction: Float64Array;
};

/** Marks the chosen series of a panel with 1. Null chooses all. */
export type Chosen = Uint8Array | null;

/** Returns the places in `times` at which a chosen series has a row. */
export function chosenTimes({ times, timeOf, ofRow }: PanelRows, chosen: Chosen): Int32Array {
  const has = new Uint8Array(times.length);
  for (let row = 0; row < ofRow.length; row++)
    if (chosen === null || chosen[ofRow[row]!] === 1) has[timeOf[row]!] = 1;
  return Int32Array.from(times.keys()).filter((place) => has[place] === 1);
}

/** Adds the values of the chosen series at each time. */
export function sumSeries(panel: PanelRows, values: Float64Array, chosen: Chosen): SeriesSum {
  const places = chosenTimes(panel, chosen);
  return {
    timestamps: Float64Array.from(places, (place) => panel.times[place]!),
    prediction: sumGroups(panel, values, asGroup(panel, chosen), { count: 1, places })[0]!,
  };
}

/** @param places places in `times` of the sums */
type Groups = { count: number; places: Int32Array };

/**
 * Adds the values of each group of series at the given times. Every group gets the same times, so that its sums lie on the axis
 * of the total.
 *
 * @param groupOf group of each series, from 0; -1: none
 * @returns sums of each group; NaN where none of its rows has a value
 */
export function sumGroups(
  { ofRow, timeOf, times }: PanelRows,
  values: Float64Array,
  groupOf: Int32Array,
  { count, places }: Groups,
): Float64Array[] {
  const width = places.length;
  const at = new Int32Array(times.length).fill(-1);
  places.forEach((place, index) => {
    at[place] = index;
  });
  const sums = new Float64Array(count * width).fill(Number.NaN);
  // The parts that rounding drops are added at the end (Neumaier), so that totals equal the sums of their groups.
  const lost = new Float64Array(count * width);
  for (let row = 0; row < ofRow.length; row++) {
    const group = groupOf[ofRow[row]!]!;
    const column = at[timeOf[row]!]!;
    const value = values[row]!;
    if (group < 0 || column < 0 || Number.isNaN(value)) continue;
    const cell = group * width + column;
    const before = sums[cell]!;
    if (Number.isNaN(before)) {
      sums[cell] = value;
      continue;
    }
    const sum = before + value;
    lost[cell]! += Math.abs(before) >= Math.abs(value) ? before - sum + value : value - sum + before;
    sums[cell] = sum;
  }
  for (let cell = 0; cell < sums.length; cell++) sums[cell]! += lost[cell]!;
  return Array.from({ length: count }, (_, group) => sums.subarray(group * width, (group + 1) * width));
}

/** Adds the values of each group from one time to another, both inclusive (epoch milliseconds). */
export function totalsOfGroups(
  panel: PanelRows,
  values: Float64Array,
  groupOf: Int32Array,
  { count, from, to }: { count: number; from: number; to: number },
): Float64Array {
  const { times, timeOf } = panel;
  const once = timeOf.map((place) => (times[place]! >= from && times[place]! <= to ? 0 : 1));
  const at = { ...panel, times: Float64Array.of(from, to), timeOf: once };
  const sums = sumGroups(at, values, groupOf, { count, places: Int32Array.of(0) });
  return Float64Array.from(sums, ([sum]) => sum!);
}

/**
 * Returns the rows of each group at the given times, -1 for no row. A group of several series has none, because its sums are of
 * several rows.
 */
export function rowsOfGroups(
  { ofRow, timeOf, times }: PanelRows,
  groupOf: Int32Array,
  { count, places }: Groups,
): Int32Array[] {
  const only = onlySeries(groupOf, count);
  const rowAt = new Int32Array(count * times.length).fill(-1);
  for (let row = 0; row < ofRow.length; row++) {
    const series = ofRow[row]!;
    const group = groupOf[series]!;
    if (group !== -1 && only[group] === series) rowAt[group * times.length + timeOf[row]!] = row;
  }
  return Array.from({ length: count }, (_, group) =>
    places.map((place) => rowAt[group * times.length + place]!),
  );
}

/** Returns the only series of each group; -1 for a group of several. */
function onlySeries(groupOf: Int32Array, count: number): Int32Array {
  const only = new Int32Array(count).fill(-1);
  const sizes = new Int32Array(count);
  groupOf.forEach((group, series) => {
    if (group === -1) return;
    sizes[group]!++;
    only[group] = series;
  });
  return only.map((series, group) => (sizes[group] === 1 ? series : -1));
}

/** Returns the chosen series as one group, for `sumGroups` and `rowsOfGroups`. */
export const asGroup = ({ values }: PanelRows, chosen: Chosen): Int32Array =>
  Int32Array.from(values, (_, series) => (chosen === null ? 0 : chosen[series]! - 1));
