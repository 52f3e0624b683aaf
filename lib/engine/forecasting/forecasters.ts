import { seasonalNaive } from "#lib/engine/learners/seasonal-naive";
import { type CalendarField, FIELD_NAMES } from "#lib/engine/time/calendar";
import type { FeatureSeries, Forecaster } from "./forecaster.ts";
import { calendarPlaces } from "./profiles.ts";

/** Creates a forecaster that repeats the last season. A season of 1 repeats the last value. */
export function naiveForecaster(season: number, name: string): Forecaster {
  return {
    method: season === 1 ? "last value" : `same time last ${name}`,
    forecast: ({ values }, length, steps) => seasonalNaive(values.subarray(0, length), season, steps),
  };
}

/**
 * Creates a forecaster that continues from the last value with the mean slope of all known values (Hyndman and
 * Athanasopoulos, section 5.2).
 */
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
 * Creates a forecaster that returns the most frequent value at the same place in the calendar, for categories and
 * codes, which have no mean.
 */
export function modeForecaster(series: FeatureSeries, fields: readonly CalendarField[]): Forecaster {
  const places = calendarPlaces(series, fields);
  return {
    method: `most frequent by ${fields.map((field) => FIELD_NAMES[field]).join(" and ")}`,
    forecast: ({ values }, length, steps) => {
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
        mostFrequent(counts.get(places[length + step]!), last),
      );
    },
  };
}

function mostFrequent(counts: Map<number, number> | undefined, otherwise: number): number {
  let best = otherwise;
  let most = 0;
  for (const [value, count] of counts ?? []) if (count > most) [best, most] = [value, count];
  return best;
}
