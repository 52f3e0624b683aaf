import type { CalendarField } from "./calendar.ts";
import type { FeatureStep } from "./pipeline.ts";
import { presentValues } from "./statistics.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const YEAR_MS = 365.25 * DAY_MS;
/** From steps of a month on, the month tells all that a day of the year would. */
const MONTH_MS_MIN = 27 * DAY_MS;

/**
 * Calendar features that fit the frequency, and that the rows have seen come round: a yearly field over less than a
 * year of rows would only number the days, and mislead on the next. Trees take the fields as they are; a linear model
 * takes a column each or waves (Fourier terms).
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
    // What the hours' own columns leave: the shape within them.
    ...(withinHour ? [waves("minuteOfDay", 1440, 6)] : []),
    ...(withinDay ? [onehot(manyWeeks ? "hourOfWeek" : "hour")] : []),
    ...(withinWeek && !(withinDay && manyWeeks) ? [onehot("weekday")] : []),
    // Twelve columns need some years to be learned from; waves need less.
    ...(withinYear && monthly ? [span >= 3 * YEAR_MS ? onehot("month") : waves("month", 12, 2)] : []),
    ...(withinYear && !monthly ? [waves("dayOfYear", 365.25, 3)] : []),
    // Over less than two years a trend cannot be told from the season that it runs through.
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
