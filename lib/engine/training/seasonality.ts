import { parseFrequency } from "#lib/engine/features/frequency";

const DAY_MS = 86_400_000;
/** A week has five business days. */
const BUSINESS_DAY_MS = (7 * DAY_MS) / 5;

/** Returns the lengths of seasons in steps, shortest first: day, week and year, as far as the frequency has them. */
export function seasonLengths(frequency: string): number[] {
  const step = parseFrequency(frequency);
  if (step.unit === "month") return step.count < 12 && 12 % step.count === 0 ? [12 / step.count] : [];
  const stepMs = step.count * { day: DAY_MS, business: BUSINESS_DAY_MS, ms: 1 }[step.unit];
  const seasons = [DAY_MS, 7 * DAY_MS, 364 * DAY_MS]
    .filter((season) => season > stepMs)
    .map((season) => Math.round(season / stepMs));
  return [...new Set(seasons)];
}

/** Returns the seasons of the naive forecast: 1 (the last value), and seasons that occur at least twice in the rows. */
export function naiveSeasons(frequency: string, trainingRows: number): number[] {
  return [1, ...seasonLengths(frequency).filter((season) => season * 2 <= trainingRows)];
}
