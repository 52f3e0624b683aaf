import { type CalendarField, calendarValues } from "#lib/ml/features/calendar";
import { seasonalNaive } from "#lib/ml/train/seasonal-naive";

/** One feature's known values on the grid, and where they stand. NaN where unknown. */
export type FeatureSeries = {
  values: Float64Array;
  /** Instant of each grid cell, the cells to be forecast included: at least `values.length` + steps. */
  instants: Float64Array;
  timezone: string;
};

/**
 * A way to continue a series: the `steps` values after the first `length` ones, reading nothing behind them.
 * NaN is only given where nothing is known.
 */
export type Forecaster = {
  method: string;
  forecast: (series: FeatureSeries, length: number, steps: number) => Float64Array;
};

/** The value one season back, over and over. A season of 1 repeats the last value. */
export function naiveForecaster(season: number, name: string): Forecaster {
  return {
    method: season === 1 ? "last value" : `same time last ${name}`,
    forecast: ({ values }, length, steps) => seasonalNaive(values.subarray(0, length), season, steps),
  };
}

/** The last value, and on at the mean slope of everything known (Hyndman and Athanasopoulos, section 5.2). */
export function driftForecaster(): Forecaster {
  return {
    method: "drift",
    forecast: ({ values }, length, steps) => {
      const known = values.subarray(0, length);
      const first = known.findIndex((value) => !Number.isNaN(value));
      const last = known.findLastIndex((value) => !Number.isNaN(value));
      const slope = last > first ? (known[last]! - known[first]!) / (last - first) : 0;
      return Float64Array.from({ length: steps }, (_, step) => known[last]! + slope * (length + step - last));
    },
  };
}

/**
 * The mean of what was known at the same place in the calendar, plus how far the newest values lie off it; that offset
 * halves every `halfLife` steps. Places never seen have the overall mean.
 */
export function profileForecaster(fields: readonly CalendarField[], halfLife: number): Forecaster {
  return {
    method: `profile by ${fields.join(" and ")}, offset halving in ${halfLife} steps`,
    forecast: (series, length, steps) => {
      const { values } = series;
      const places = calendarPlaces(series, fields, length + steps);
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
      const profile = (at: number) => {
        const place = sums.get(places[at]!);
        return place ? place.sum / place.count : total / count;
      };
      let offset = 0;
      let weights = 0;
      for (let back = 1; back <= Math.min(length, 4 * halfLife); back++) {
        const value = values[length - back]!;
        if (Number.isNaN(value)) continue;
        const weight = 0.5 ** (back / halfLife);
        offset += weight * (value - profile(length - back));
        weights += weight;
      }
      const newest = weights > 0 ? offset / weights : 0;
      return Float64Array.from(
        { length: steps },
        (_, step) => profile(length + step) + newest * 0.5 ** (step / halfLife),
      );
    },
  };
}

/** The commonest value at the same place in the calendar: for categories and codes, which have no mean. */
export function modeForecaster(fields: readonly CalendarField[]): Forecaster {
  return {
    method: `commonest by ${fields.join(" and ")}`,
    forecast: (series, length, steps) => {
      const { values } = series;
      const places = calendarPlaces(series, fields, length + steps);
      const counts = new Map<number, Map<number, number>>();
      let last = Number.NaN;
      for (let at = 0; at < length; at++) {
        const value = values[at]!;
        if (Number.isNaN(value)) continue;
        last = value;
        const place = counts.get(places[at]!) ?? new Map<number, number>();
        place.set(value, (place.get(value) ?? 0) + 1);
        counts.set(places[at]!, place);
      }
      return Float64Array.from({ length: steps }, (_, step) =>
        commonest(counts.get(places[length + step]!), last),
      );
    },
  };
}

function commonest(counts: Map<number, number> | undefined, otherwise: number): number {
  let best = otherwise;
  let most = 0;
  for (const [value, count] of counts ?? []) if (count > most) [best, most] = [value, count];
  return best;
}

/** One number for each combination of the fields' values. */
function calendarPlaces(
  { instants, timezone }: FeatureSeries,
  fields: readonly CalendarField[],
  count: number,
): Float64Array {
  const places = new Float64Array(count);
  for (const field of fields) {
    const values = calendarValues(instants.subarray(0, count), field, timezone);
    for (let at = 0; at < count; at++) places[at] = places[at]! * 1000 + values[at]!;
  }
  return places;
}
