import type { Forecaster } from "./forecaster.ts";

/** How fast level, trend and season follow what comes. */
const RATES = { level: 0.1, trend: 0.01, season: 0.05 };
/** What is left of the trend with each step: it flattens out. */
const DAMPING = 0.98;
/** Seasons that are looked at: what came before has no weight any more. */
const SEASONS_MAX = 60;
const STEPS_MIN = 500;
/** Seasons that the first season's shape is taken from. */
const FIRST_SEASONS = 4;

/**
 * Additive exponential smoothing with a damped trend and a season (Holt and Winters; Hyndman and Athanasopoulos,
 * chapter 8): for what grows and comes round at once. Gaps teach it nothing.
 */
export function smoothingForecaster(season: { steps: number; name: string }): Forecaster {
  return {
    method: `exponential smoothing, damped trend${season.steps > 1 ? `, season of a ${season.name}` : ""}`,
    forecast: ({ values }, length, steps) => {
      const from = Math.max(0, length - Math.max(STEPS_MIN, SEASONS_MAX * season.steps));
      const known = values.subarray(from, length);
      const { level, trend, shape } = smooth(known, season.steps);
      const nonNegative = known.every((value) => !(value < 0));
      let grown = 0;
      let damped = 1;
      return Float64Array.from({ length: steps }, (_, step) => {
        damped *= DAMPING;
        grown += damped * trend;
        const value = level + grown + shape[(known.length + step) % season.steps]!;
        return nonNegative ? Math.max(0, value) : value;
      });
    },
  };
}

function smooth(known: Float64Array, season: number) {
  const shape = firstShape(known, season);
  let level = Number.NaN;
  let trend = 0;
  for (let at = 0; at < known.length; at++) {
    const value = known[at]!;
    if (Number.isNaN(value)) continue;
    const place = at % season;
    if (Number.isNaN(level)) level = value - shape[place]!;
    const error = value - (level + DAMPING * trend + shape[place]!);
    level += DAMPING * trend + RATES.level * error;
    trend = DAMPING * trend + RATES.trend * error;
    shape[place]! += RATES.season * error;
  }
  return { level, trend, shape };
}

/** How each step of the season lies off its mean, over the first seasons. */
function firstShape(known: Float64Array, season: number): Float64Array {
  const shape = new Float64Array(season);
  if (season === 1) return shape;
  const counts = new Float64Array(season);
  let total = 0;
  let count = 0;
  for (let at = 0; at < Math.min(known.length, FIRST_SEASONS * season); at++) {
    const value = known[at]!;
    if (Number.isNaN(value)) continue;
    shape[at % season]! += value;
    counts[at % season]! += 1;
    total += value;
    count += 1;
  }
  return shape.map((sum, place) => (counts[place]! > 0 ? sum / counts[place]! - total / count : 0));
}
