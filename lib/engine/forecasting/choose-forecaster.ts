import { type CalendarField, FIELD_CYCLE } from "#lib/engine/time/calendar";
import { smoothingForecaster } from "./exponential-smoothing.ts";
import type { FeatureSeries, Forecaster } from "./forecaster.ts";
import { driftForecaster, modeForecaster, naiveForecaster } from "./forecasters.ts";
import { calendarMeans, type Profile, seasonalWaves, withOffset } from "./profiles.ts";

type ForecasterChoice = {
  forecaster: Forecaster;
  /** Mean absolute error in the back-test; for discrete values, the fraction of wrong values. Null if not tested. */
  error: number | null;
  /** Number of forecast origins in the back-test. */
  origins: number;
};

const ORIGINS_MAX = 24;
/** Every nth origin decides which forecasters are tested from all origins. */
const FIRST_ROUND = 4;
const SECOND_ROUND_FORECASTERS = 6;
const DAY_MS = 86_400_000;
const YEAR_MS = 365.25 * DAY_MS;

/**
 * Chooses the forecaster with the lowest back-test error, `steps` ahead. If `isDiscrete`, values are codes: only
 * forecasters that repeat known values are tried.
 */
export function chooseForecaster(
  series: FeatureSeries,
  steps: number,
  seasons: readonly Season[],
  isDiscrete: boolean,
): ForecasterChoice {
  const forecasters = candidates(series, seasons, isDiscrete);
  const length = series.values.length;
  // A back-test needs as much history before its origin as it predicts. A short history is tested over fewer steps.
  const ahead = Math.max(1, Math.min(steps, Math.floor(length / 3)));
  const apart = Math.max(1, Math.floor(ahead / 2));
  const origins = Array.from({ length: ORIGINS_MAX }, (_, i) => length - ahead - i * apart).filter(
    (origin) => origin >= Math.max(ahead, length / 3),
  );
  const tried = (some: readonly Forecaster[], from: readonly number[]) =>
    some
      .map((forecaster) => ({ forecaster, error: backtest(series, forecaster, from, ahead, isDiscrete) }))
      .filter((one): one is { forecaster: Forecaster; error: number } => one.error !== null)
      .sort((a, b) => a.error - b.error);
  const first = tried(
    forecasters,
    origins.filter((_, i) => i % FIRST_ROUND === 0),
  );
  const finalists = first.slice(0, SECOND_ROUND_FORECASTERS).map(({ forecaster }) => forecaster);
  const [best] = tried(finalists, origins);
  return best
    ? { ...best, origins: origins.length }
    : { forecaster: forecasters[0]!, error: null, origins: 0 };
}

export type Season = { steps: number; name: string };

/** Returns day, week and year in steps, if they are longer than one step. */
export function calendarSeasons(stepMs: number): Season[] {
  return [
    { name: "day", steps: Math.round(DAY_MS / stepMs) },
    { name: "week", steps: Math.round((7 * DAY_MS) / stepMs) },
    // 364 days instead of a year keep the weekday; for weekly or longer steps, a calendar year is as good.
    { name: "year", steps: Math.round(((stepMs < 7 * DAY_MS ? 364 : 365.25) * DAY_MS) / stepMs) },
  ].filter(({ steps }) => steps > 1);
}

function candidates(series: FeatureSeries, seasons: readonly Season[], isDiscrete: boolean): Forecaster[] {
  const length = series.values.length;
  const naive = [{ steps: 1, name: "" }, ...seasons]
    .filter(({ steps }) => steps <= length / 2 || steps === 1)
    .map(({ steps, name }) => naiveForecaster(steps, name));
  const fields = calendarProfiles(series);
  if (isDiscrete) return [...naive, ...fields.map((some) => modeForecaster(series, some))];
  const season = seasons.find(({ steps }) => steps <= length / 3) ?? { steps: 1, name: "" };
  const halfLives = season.steps > 1 ? [Math.ceil(season.steps / 4), season.steps, 7 * season.steps] : [3];
  const profiles = [...fields.map((some) => calendarMeans(series, some)), ...wavesOf(series)];
  return [
    ...naive,
    driftForecaster(),
    ...profiles.flatMap((profile) => halfLives.map((halfLife) => withOffset(profile, halfLife))),
    smoothingForecaster(season),
  ];
}

function wavesOf(series: FeatureSeries): Profile[] {
  const { span, step } = spacing(series);
  if (span < YEAR_MS || step > 14 * DAY_MS) return [];
  return [seasonalWaves(series, { day: step < DAY_MS / 2, week: step < 3.5 * DAY_MS })];
}

function spacing({ values, instants }: FeatureSeries): { span: number; step: number } {
  const span = (instants[values.length - 1] ?? 0) - (instants[0] ?? 0);
  return { span, step: span / Math.max(1, values.length - 1) };
}

/**
 * Returns combinations of calendar fields that the step can distinguish and the history covers: two days for hours, two
 * weeks for weekdays, a year for months and weeks.
 */
function calendarProfiles(series: FeatureSeries): CalendarField[][] {
  const { span, step } = spacing(series);
  const hourly = step < DAY_MS * 0.9 && span >= 2 * DAY_MS;
  const daily = step < 7 * DAY_MS * 0.9 && span >= 14 * DAY_MS;
  const yearly = step < 300 * DAY_MS && span >= 365 * DAY_MS;
  const profiles: CalendarField[][] = [
    ...(hourly ? [["hour"] as CalendarField[]] : []),
    ...(hourly && daily ? [["hourOfWeek"] as CalendarField[]] : []),
    ...(!hourly && daily ? [["weekday"] as CalendarField[]] : []),
    ...(yearly ? [["month"] as CalendarField[]] : []),
    ...(yearly && daily ? [["weekOfYear"] as CalendarField[]] : []),
    ...(hourly && yearly ? [["month", "hour"] as CalendarField[]] : []),
  ];
  return profiles.filter((fields) => {
    const cells = fields.reduce(
      (count, field) => count * (field === "year" ? 1 : FIELD_CYCLE[field].count),
      1,
    );
    return cells * 2 <= series.values.length || fields.length === 1;
  });
}

function backtest(
  series: FeatureSeries,
  { forecast }: Forecaster,
  origins: readonly number[],
  steps: number,
  isDiscrete: boolean,
): number | null {
  let sum = 0;
  let count = 0;
  for (const origin of origins) {
    const predicted = forecast(series, origin, steps);
    for (let step = 0; step < steps; step++) {
      const difference = Math.abs(predicted[step]! - series.values[origin + step]!);
      if (Number.isNaN(difference)) continue;
      sum += isDiscrete ? (difference > 0 ? 1 : 0) : difference;
      count += 1;
    }
  }
  return count > 0 ? sum / count : null;
}
