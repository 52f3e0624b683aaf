import { counted } from "#lib/contract/counted";
import { cholesky, solveCholesky } from "#lib/engine/learners/cholesky";
import { type CalendarField, calendarValues, FIELD_NAMES } from "#lib/engine/time/calendar";
import { zoneOffset } from "#lib/engine/time/timezones";
import type { FeatureSeries, Forecaster } from "./forecaster.ts";

/** The typical value at a position of the grid, learned from the first `length` values. */
export type Profile = { name: string; learn: (length: number) => (at: number) => number };

const DAY_MS = 86_400_000;
const YEAR_MS = 365.25 * DAY_MS;
/** Maximum number of values to fit; more would not change the waves, only take longer. */
const WAVE_VALUES_MAX = 5_000;
/** Number of harmonics per year, week and day. */
const HARMONICS = { year: 2, week: 3, day: 3 };

/** Returns the mean of known values at the same place in the calendar, or the overall mean if there are none. */
export function calendarMeans(series: FeatureSeries, fields: readonly CalendarField[]): Profile {
  const { values } = series;
  const places = calendarPlaces(series, fields);
  return {
    name: `profile by ${fields.map((field) => FIELD_NAMES[field]).join(" and ")}`,
    learn: memoize((length) => {
      const sums = new Map<number, { sum: number; count: number }>();
      let total = 0;
      let count = 0;
      for (let at = 0; at < length; at++) {
        const value = values[at]!;
        if (Number.isNaN(value)) continue;
        const place = sums.get(places[at]!) ?? { sum: 0, count: 0 };
        place.sum += value;
        place.count += 1;
        sums.set(places[at]!, place);
        total += value;
        count += 1;
      }
      return (at) => {
        const place = sums.get(places[at]!);
        return place ? place.sum / place.count : total / count;
      };
    }),
  };
}

/**
 * Fits smooth waves: through the week, and through the year with daily waves that change over the year. Uses least
 * squares on Fourier terms with a very small ridge penalty, so that a short history has a solution.
 */
export function seasonalWaves(
  { values, instants, timezone }: FeatureSeries,
  { day, week }: { day: boolean; week: boolean },
): Profile {
  const offset = zoneOffset(timezone);
  const year = 1 + 2 * HARMONICS.year;
  const within = day ? 1 + 2 * HARMONICS.day : 1;
  const weekly = week ? 2 * HARMONICS.week : 0;
  const size = year * within + weekly;
  const row = new Float64Array(size);
  const ofYear = new Float64Array(year).fill(1);
  const ofDay = new Float64Array(within).fill(1);
  /** Returns the terms at a position in a reused array, because this is the innermost loop. */
  const terms = (at: number): Float64Array => {
    const wall = instants[at]! + offset(instants[at]!);
    writeWaves(ofYear, 1, wall / YEAR_MS);
    writeWaves(ofDay, 1, wall / DAY_MS);
    for (let i = 0; i < year; i++) {
      for (let j = 0; j < within; j++) row[i * within + j] = ofYear[i]! * ofDay[j]!;
    }
    writeWaves(row, size - weekly, wall / (7 * DAY_MS));
    return row;
  };
  return {
    name: `waves of the year${week ? ", the week" : ""}${day ? " and the day" : ""}`,
    learn: memoize((length) => {
      const squares = new Float64Array(size * size);
      const products = new Float64Array(size);
      // An odd stride covers every hour of the day and every day of the week.
      const stride = 2 * Math.floor(length / WAVE_VALUES_MAX / 2) + 1;
      for (let at = length - 1; at >= 0; at -= stride) {
        const value = values[at]!;
        if (Number.isNaN(value)) continue;
        terms(at);
        for (let i = 0; i < size; i++) {
          products[i]! += row[i]! * value;
          for (let j = 0; j <= i; j++) squares[i * size + j]! += row[i]! * row[j]!;
        }
      }
      for (let i = 0; i < size; i++) squares[i * size + i]! += i === 0 ? 1e-9 : 1;
      const weights = solveCholesky(cholesky(squares, size), products, size);
      return (at) => {
        terms(at);
        let sum = 0;
        for (let i = 0; i < size; i++) sum += row[i]! * weights[i]!;
        return sum;
      };
    }),
  };
}

/**
 * Adds the newest deviation from a profile to the profile; the deviation halves every `halfLife` steps. Forecasts
 * stay within the range of the known values.
 */
export function withOffset(profile: Profile, halfLife: number): Forecaster {
  return {
    method: `${profile.name}, offset halving in ${counted(halfLife, "step")}`,
    forecast: ({ values }, length, steps) => {
      const usual = profile.learn(length);
      let offset = 0;
      let weights = 0;
      for (let back = 1; back <= Math.min(length, 4 * halfLife); back++) {
        const value = values[length - back]!;
        if (Number.isNaN(value)) continue;
        const weight = 0.5 ** (back / halfLife);
        offset += weight * (value - usual(length - back));
        weights += weight;
      }
      const newest = weights > 0 ? offset / weights : 0;
      const [least, most] = range(values, length);
      return Float64Array.from({ length: steps }, (_, step) =>
        Math.min(most, Math.max(least, usual(length + step) + newest * 0.5 ** (step / halfLife))),
      );
    },
  };
}

/** Returns one number for each combination of the fields' values. */
export function calendarPlaces(
  { instants, timezone }: FeatureSeries,
  fields: readonly CalendarField[],
): Float64Array {
  const places = new Float64Array(instants.length);
  for (const field of fields) {
    const values = calendarValues(instants, field, timezone);
    for (let at = 0; at < places.length; at++) places[at] = places[at]! * 1000 + values[at]!;
  }
  return places;
}

/** Writes sine and cosine of each harmonic, from `start` to the end. */
function writeWaves(into: Float64Array, start: number, cycles: number): void {
  const angle = 2 * Math.PI * (cycles - Math.floor(cycles));
  for (let i = start, k = 1; i < into.length; i += 2, k++) {
    into[i] = Math.sin(k * angle);
    into[i + 1] = Math.cos(k * angle);
  }
}

/** Memoizes a profile, because it is tried with several half-lives from the same origins. */
function memoize<T>(learn: (length: number) => T): (length: number) => T {
  const learned = new Map<number, T>();
  return (length) => {
    const kept = learned.get(length) ?? learn(length);
    learned.set(length, kept);
    return kept;
  };
}

/** Returns the minimum and maximum of the first values; NaN if none is known. */
function range(values: Float64Array, length: number): [number, number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < length; at++) {
    if (values[at]! < least) least = values[at]!;
    if (values[at]! > most) most = values[at]!;
  }
  return least <= most ? [least, most] : [Number.NaN, Number.NaN];
}
