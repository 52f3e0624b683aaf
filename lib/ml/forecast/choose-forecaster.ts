import { type CalendarField, FIELD_CYCLE } from "#lib/ml/features/calendar";
import {
  driftForecaster,
  type FeatureSeries,
  type Forecaster,
  modeForecaster,
  naiveForecaster,
  profileForecaster,
} from "./forecasters.ts";

export type ForecasterChoice = {
  forecaster: Forecaster;
  /** Mean absolute error over the back-test; for values without a mean, the part that was wrong. Null: not tested. */
  error: number | null;
  /** How many earlier dates the forecast was tried from. */
  origins: number;
};

const ORIGINS_MAX = 4;
const DAY_MS = 86_400_000;

/**
 * The forecaster that does best when each is tried from earlier dates, `steps` ahead, on what was known then.
 * `isDiscrete` says that values are codes: then only ways that repeat values seen are tried.
 */
export function chooseForecaster(
  series: FeatureSeries,
  steps: number,
  seasons: readonly Season[],
  isDiscrete: boolean,
): ForecasterChoice {
  const forecasters = candidates(series, seasons, isDiscrete);
  const length = series.values.length;
  // Each try needs as much history before it as it looks ahead; a short history is tried over a shorter way.
  const ahead = Math.max(1, Math.min(steps, Math.floor(length / 3)));
  const origins = Array.from({ length: ORIGINS_MAX }, (_, i) => length - (i + 1) * ahead).filter(
    (origin) => origin >= Math.max(ahead, length / 3),
  );
  let best: ForecasterChoice = { forecaster: forecasters[0]!, error: null, origins: 0 };
  for (const forecaster of forecasters) {
    const error = backtest(series, forecaster, origins, ahead, isDiscrete);
    if (error !== null && (best.error === null || error < best.error)) {
      best = { forecaster, error, origins: origins.length };
    }
  }
  return best;
}

export type Season = { steps: number; name: string };

/** Day, week and year in steps, where they are longer than one step. */
export function calendarSeasons(stepMs: number): Season[] {
  return [
    { name: "day", steps: Math.round(DAY_MS / stepMs) },
    { name: "week", steps: Math.round((7 * DAY_MS) / stepMs) },
    // 52 weeks in place of 365 days keep the weekday; from weeks on a calendar year is as good.
    { name: "year", steps: Math.round(((stepMs <= DAY_MS ? 364 : 365.25) * DAY_MS) / stepMs) },
  ].filter(({ steps }) => steps > 1);
}

function candidates(series: FeatureSeries, seasons: readonly Season[], isDiscrete: boolean): Forecaster[] {
  const length = series.values.length;
  const naive = [{ steps: 1, name: "" }, ...seasons]
    .filter(({ steps }) => steps <= length / 2 || steps === 1)
    .map(({ steps, name }) => naiveForecaster(steps, name));
  const profiles = calendarProfiles(series);
  if (isDiscrete) return [...naive, ...profiles.map(modeForecaster)];
  const halfLives = seasons.length > 0 ? [seasons[0]!.steps, 7 * seasons[0]!.steps] : [3];
  return [
    ...naive,
    driftForecaster(),
    ...profiles.flatMap((fields) => halfLives.map((halfLife) => profileForecaster(fields, halfLife))),
  ];
}

/** Combinations of calendar fields that the history has gone round at least twice, and that its step can tell apart. */
function calendarProfiles({ values, instants }: FeatureSeries): CalendarField[][] {
  const span = (instants[values.length - 1] ?? 0) - (instants[0] ?? 0);
  const step = span / Math.max(1, values.length - 1);
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
    return cells * 2 <= values.length || fields.length === 1;
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
