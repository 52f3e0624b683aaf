import type { CalendarField } from "#lib/engine/time/calendar";
import type { FeatureStep } from "./pipeline.ts";
import { presentValues } from "./statistics.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const YEAR_MS = 365.25 * DAY_MS;
/** With monthly or longer steps, the month replaces the day of the year. */
const MONTH_MS_MIN = 27 * DAY_MS;

/**
 * Returns calendar features that fit the frequency and whose cycle the rows cover. A yearly field over less than a
 * year of rows would only number the days and mislead later. Trees use the fields as numbers. A linear model uses
 * one-hot columns or waves (Fourier terms).
 */
export function calendarSteps(times: Float64Array, family: "trees" | "linear"): FeatureStep[] {
  const instants = presentValues(times).sort();
  const span = (instants.at(-1) ?? 0) - (instants[0] ?? 0);
  const finest = instants.reduce((least, instant, i) => {
    const step = i > 0 ? instant - instants[i - 1]! : 0;
    return step > 0 ? Math.min(least, step) : least;
  }, Number.POSITIVE_INFINITY);
  const withinHour = finest < HOUR_MS && span >= 2 * DAY_MS;
  const withinDay = finest < DAY_MS * 0.9 && span >= 2 * DAY_MS;
  const withinWeek = finest < 7 * DAY_MS * 0.9 && span >= 14 * DAY_MS;
  const withinYear = finest < 300 * DAY_MS && span >= YEAR_MS;
  const manyWeeks = span >= 20 * 7 * DAY_MS;
  const monthly = finest >= MONTH_MS_MIN;
  if (family === "trees") {
    return [
      ...(withinHour ? [number("minuteOfDay")] : []),
      ...(withinDay ? [number("hour")] : []),
      ...(withinDay && manyWeeks ? [number("hourOfWeek")] : []),
      ...(withinWeek ? [number("weekday")] : []),
      ...(withinYear ? [number(monthly ? "month" : "dayOfYear")] : []),
    ];
  }
  const trend: FeatureStep = { op: "trend", start: instants[0] ?? 0, unitMs: YEAR_MS };
  return [
    // The shape within the hour, which the one-hot hours do not cover.
    ...(withinHour ? [waves("minuteOfDay", 1440, 6)] : []),
    ...(withinDay ? [onehot(manyWeeks ? "hourOfWeek" : "hour")] : []),
    ...(withinWeek && !(withinDay && manyWeeks) ? [onehot("weekday")] : []),
    // Twelve columns need some years of data. Waves need less.
    ...(withinYear && monthly ? [span >= 3 * YEAR_MS ? onehot("month") : waves("month", 12, 2)] : []),
    ...(withinYear && !monthly ? [waves("dayOfYear", 365.25, 3)] : []),
    // Over less than two years, a trend is indistinguishable from the season.
    ...(span >= 2 * YEAR_MS ? [trend] : []),
  ];
}

const number = (field: CalendarField): FeatureStep => ({ op: "calendar", field, encoding: "number" });
const onehot = (field: CalendarField): FeatureStep => ({ op: "calendar", field, encoding: "onehot" });
const waves = (field: CalendarField, period: number, harmonics: number): FeatureStep => ({
  op: "calendar",
  field,
  encoding: "cyclic",
  period,
  harmonics,
});
