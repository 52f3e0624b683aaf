import type { Forecaster } from "./forecaster.ts";

/** Smoothing rates of level, trend and season. */
const RATES = { level: 0.1, trend: 0.01, season: 0.05 };
/** Factor of the trend per step: it flattens out. */
const DAMPING = 0.98;
/** Maximum number of seasons used; earlier ones have a negligible weight. */
const SEASONS_MAX = 60;
const STEPS_MIN = 500;
/** Number of seasons for the initial seasonal shape. */
const FIRST_SEASONS = 4;

/**
 * Creates a forecaster by additive exponential smoothing with a damped trend and a season (Holt and Winters; Hyndman
 * and Athanasopoulos, chapter 8), for series with both trend and season. Gaps do not change its state.
 */
export function smoothingForecaster(season: { steps: number; name: string }): Forecaster {
  return {
    method: `exponential smoothing, damped trend${season.steps > 1 ? `, season of one ${season.name}` : ""}`,
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

/** Returns the mean deviation of each step of the season over the first seasons. */
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
