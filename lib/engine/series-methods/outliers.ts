import { runningMedian } from "./running-median.ts";

/** Deviations from which a value is not believed, in standard deviations of the others. */
const DEVIATIONS_MIN = 10;
/** Minimum half width of the window of the level, in steps. */
const HALF_WINDOW_MIN = 6;
/** Fraction of the values in the middle of their size that counts as noise if more than half of the values are equal. */
const NOISE_OF_EQUAL = 0.01;
/** A series with more groups of such values has heavy tails. */
const GROUPS_MAX = 3;
/** In a series of heavy tails, a value must exceed the usual one of these groups by this factor. */
const TAIL_FACTOR = 5;
const OBSERVATIONS_MIN = 10;
/** Standard deviation of a normal distribution divided by its median absolute deviation. */
const NORMAL_MAD = 1.4826;

/**
 * Finds values that contradict all others: typing errors, and a level that falls or jumps for at most half a season and
 * then returns. Each value is compared with a running median and the median of its place in the season (Hampel 1974), on
 * the values and, if these are positive, on their logarithms: a peak of a growing season is far away only on one of them.
 * A change that lasts until the end counts as real unless it is the last value alone.
 *
 * @param values observations in order; NaN is a gap
 * @param season steps of the shortest season; 1 for none
 * @param believesTails whether all but the farthest values of a series of heavy tails are believed
 * @returns places of the values, ascending
 */
export function findOutliers(values: Float64Array, season: number, believesTails = true): number[] {
  const places = Array.from(values.keys()).filter((at) => !Number.isNaN(values[at]!));
  if (places.length < OBSERVATIONS_MIN) return [];
  const steps = season > 1 && values.length >= 3 * season ? season : 1;
  const scales = [values];
  if (places.every((at) => values[at]! > 0)) scales.push(values.map(Math.log));
  const deviations = scales.map((scale) => deviationsOf(scale, steps));
  const sizeAt = (at: number) =>
    deviations.reduce((least, sizes) => Math.min(least, sizes[at]!), Number.POSITIVE_INFINITY);
  const longest = Math.max(1, Math.floor(steps / 2));
  const last = places.at(-1)!;
  const groups = groupsOf(places.filter((at) => sizeAt(at) > DEVIATIONS_MIN)).filter(
    (group) => group.length <= (group.at(-1) === last ? 1 : longest),
  );
  if (groups.length <= GROUPS_MAX || !believesTails) return groups.flat();
  const sizes = groups.map((group) => Math.max(...group.map(sizeAt)));
  const usual = medianOf(sizes);
  return groups.flatMap((group, i) => (sizes[i]! > TAIL_FACTOR * usual ? group : []));
}

/** Divides ascending places into groups of neighbours. */
function groupsOf(places: readonly number[]): number[][] {
  const groups: number[][] = [];
  for (const at of places) {
    if (groups.at(-1)?.at(-1) === at - 1) groups.at(-1)!.push(at);
    else groups.push([at]);
  }
  return groups;
}

/** Returns the absolute deviation of each value from level and season, in standard deviations of all; 0 for gaps. */
function deviationsOf(values: Float64Array, steps: number): Float64Array {
  const half = Math.min(Math.max(HALF_WINDOW_MIN, steps), (values.length - 1) >> 1);
  const level = levelOf(values, half);
  const rest = values.map((value, i) => value - level[i]!);
  for (let place = 0; place < steps && steps > 1; place++) {
    const shift = medianOf(rest.filter((_, i) => i % steps === place));
    for (let i = place; i < rest.length; i += steps) rest[i]! -= shift;
  }
  const changes = rest.subarray(1).map((value, i) => Math.abs(value - rest[i]!));
  const noise = NORMAL_MAD * Math.max(medianOf(rest.map(Math.abs)), medianOf(changes));
  const rounding = 1e-9 * medianOf(values.map(Math.abs));
  const unit = noise > rounding ? noise : NOISE_OF_EQUAL * medianOf(values.map(Math.abs));
  return rest.map((value) => (unit > 0 && !Number.isNaN(value) ? Math.abs(value) / unit : 0));
}

/** Returns a running median. Within half a window of the ends, the line of median slope through the window. */
function levelOf(values: Float64Array, half: number): Float64Array {
  const level = new Float64Array(values.length);
  level.set(runningMedian(values, 2 * half + 1), half);
  for (const from of [0, values.length - 2 * half - 1]) {
    const window = values.subarray(from, from + 2 * half + 1);
    const slope = medianOf(window.subarray(half).map((value, i) => (value - window[i]!) / half));
    const start = medianOf(window.map((value, i) => value - slope * i));
    const isStart = from === 0;
    for (let i = isStart ? 0 : half + 1; i < (isStart ? half : window.length); i++) {
      level[from + i] = start + slope * i;
    }
  }
  return level;
}

/** Returns the median of the values that are not gaps; 0 without values. */
function medianOf(values: Float64Array | readonly number[]): number {
  const known = Float64Array.from(values)
    .filter((value) => !Number.isNaN(value))
    .sort();
  const middle = known.length >> 1;
  if (known.length === 0) return 0;
  return known.length % 2 === 1 ? known[middle]! : (known[middle - 1]! + known[middle]!) / 2;
}
