import { filledGaps } from "./gaps.ts";

type Decomposition = {
  /** One array per season, in the order of the given seasons. */
  seasons: Float64Array[];
  trend: Float64Array;
  remainder: Float64Array;
};

/** Widths of the smoothers of `stl`, in observations; odd. */
type StlWindows = { season: number; trend: number; lowPass: number };

/** Number of inner passes, as in R's `stl` without robustness weights. */
const PASSES = 2;
/** Number of passes over all seasons, as in R's `mstl`. */
const ROUNDS = 2;

const odd = (value: number) => {
  const whole = Math.ceil(value);
  return whole % 2 === 0 ? whole + 1 : whole;
};

/** Returns the default widths for a season (Cleveland et al. 1990; R's `stl`). */
export function stlWindows(steps: number, season: number): StlWindows {
  return { season, trend: odd((1.5 * steps) / (1 - 1.5 / season)), lowPass: odd(steps) };
}

/**
 * Decomposes a series into season, trend and remainder by loess (Cleveland, Cleveland, McRae and Terpenning 1990).
 *
 * @param values observations without gaps, at least two seasons
 * @param steps length of the season
 */
export function stl(
  values: Float64Array,
  steps: number,
  windows: StlWindows,
): { season: Float64Array; trend: Float64Array } {
  const count = values.length;
  const season = new Float64Array(count);
  let trend: Float64Array = new Float64Array(count);
  const jump = (window: number) => Math.ceil(window / 10);
  for (let pass = 0; pass < PASSES; pass++) {
    // Smooth each position of the season over the cycles, and extend it by one cycle at both ends.
    const cycles = new Float64Array(count + 2 * steps);
    for (let place = 0; place < steps; place++) {
      const length = Math.floor((count - 1 - place) / steps) + 1;
      const part = Float64Array.from(
        { length },
        (_, i) => values[place + i * steps]! - trend[place + i * steps]!,
      );
      const smooth = loess(part, {
        window: windows.season,
        degree: 0,
        jump: jump(windows.season),
        ends: true,
      });
      for (let i = 0; i < length + 2; i++) cycles[place + i * steps] = smooth[i]!;
    }
    const low = loess(movingMeans(movingMeans(movingMeans(cycles, steps), steps), 3), {
      window: windows.lowPass,
      degree: 1,
      jump: jump(windows.lowPass),
      ends: false,
    });
    const rest = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      season[i] = cycles[i + steps]! - low[i]!;
      rest[i] = values[i]! - season[i]!;
    }
    trend = loess(rest, { window: windows.trend, degree: 1, jump: jump(windows.trend), ends: false });
  }
  return { season, trend };
}

/**
 * Decomposes a series with several seasons (Bandara, Hyndman and Bergmeir 2021). Each season is estimated with the
 * others removed. The trend is that of the longest season.
 *
 * @param withGaps observations in order; NaN is a gap
 * @param seasons steps of the seasons, ascending; each at least twice in the series
 */
export function mstl(withGaps: Float64Array, seasons: readonly number[]): Decomposition {
  const rest = filledGaps(withGaps);
  const seasonal = seasons.map(() => new Float64Array(rest.length));
  let trend: Float64Array = new Float64Array(rest.length);
  const rounds = seasons.length > 1 ? ROUNDS : 1;
  for (let round = 0; round < rounds; round++) {
    seasons.forEach((steps, i) => {
      const own = seasonal[i]!;
      for (let at = 0; at < rest.length; at++) rest[at]! += own[at]!;
      const parts = stl(rest, steps, stlWindows(steps, 7 + 4 * (i + 1)));
      own.set(parts.season);
      trend = parts.trend;
      for (let at = 0; at < rest.length; at++) rest[at]! -= own[at]!;
    });
  }
  return { seasons: seasonal, trend, remainder: rest.map((value, i) => value - trend[i]!) };
}

function movingMeans(values: Float64Array, width: number): Float64Array {
  const means = new Float64Array(values.length - width + 1);
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    sum += values[i]!;
    if (i >= width) sum -= values[i - width]!;
    if (i >= width - 1) means[i - width + 1] = sum / width;
  }
  return means;
}

type LoessOptions = {
  window: number;
  degree: 0 | 1;
  /** Positions from one fit to the next; the curve is linear between them. */
  jump: number;
  /** Whether to also fit one position before the first value and one after the last. */
  ends: boolean;
};

/** Applies local regression with tricube weights to evenly spaced values. */
function loess(values: Float64Array, { window, degree, jump, ends }: LoessOptions): Float64Array {
  const count = values.length;
  const smooth = new Float64Array(count);
  const width = Math.min(window, count);
  const at = (place: number) => {
    const half = (width - 1) / 2;
    const left = window >= count ? 0 : Math.min(count - width, Math.max(0, Math.round(place - half)));
    return fitAt(values, place, left, left + width - 1, window, degree);
  };
  let last = 0;
  for (let place = 0; place < count; place += jump) {
    smooth[place] = at(place) ?? values[place]!;
    last = place;
  }
  if (last !== count - 1) smooth[count - 1] = at(count - 1) ?? values[count - 1]!;
  for (let from = 0; from < count - 1; from += jump) {
    const to = Math.min(from + jump, count - 1);
    const slope = (smooth[to]! - smooth[from]!) / (to - from);
    for (let i = from + 1; i < to; i++) smooth[i] = smooth[from]! + slope * (i - from);
  }
  if (!ends) return smooth;
  const right = Math.min(window, count) - 1;
  const before = fitAt(values, -1, 0, right, window, degree) ?? smooth[0]!;
  const after =
    fitAt(values, count, Math.max(0, count - 1 - right), count - 1, window, degree) ?? smooth[count - 1]!;
  return Float64Array.from([before, ...smooth, after]);
}

/** Returns the local fit at one position, from the values `left … right`; null if no value has weight. */
function fitAt(
  values: Float64Array,
  place: number,
  left: number,
  right: number,
  window: number,
  degree: 0 | 1,
): number | null {
  const count = values.length;
  let reach = Math.max(place - left, right - place);
  if (window > count) reach += Math.floor((window - count) / 2);
  const [near, far] = [0.001 * reach, 0.999 * reach];
  const weights = new Float64Array(right - left + 1);
  let total = 0;
  for (let i = left; i <= right; i++) {
    const distance = Math.abs(i - place);
    if (distance > far) continue;
    const weight = distance <= near ? 1 : (1 - (distance / reach) ** 3) ** 3;
    weights[i - left] = weight;
    total += weight;
  }
  if (total <= 0) return null;
  for (let i = 0; i < weights.length; i++) weights[i]! /= total;
  if (degree === 1 && reach > 0) {
    let mean = 0;
    for (let i = left; i <= right; i++) mean += weights[i - left]! * i;
    let spread = 0;
    for (let i = left; i <= right; i++) spread += weights[i - left]! * (i - mean) ** 2;
    if (Math.sqrt(spread) > 0.001 * (count - 1)) {
      const slope = (place - mean) / spread;
      for (let i = left; i <= right; i++) weights[i - left]! *= slope * (i - mean) + 1;
    }
  }
  let sum = 0;
  for (let i = left; i <= right; i++) sum += weights[i - left]! * values[i]!;
  return sum;
}
