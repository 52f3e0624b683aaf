import { parseFrequency, stepMs } from "#lib/engine/features/frequency";

const DAY_MS = 86_400_000;

/** Returns the lengths in steps of day, week and year (52 weeks), as far as they are longer than a step. */
export function seasonLengths(frequency: string): number[] {
  const { unit, count } = parseFrequency(frequency);
  if (unit === "month") return count < 12 && 12 % count === 0 ? [12 / count] : [];
  const length = stepMs(frequency);
  const seasons = [DAY_MS, 7 * DAY_MS, 364 * DAY_MS]
    .map((season) => Math.round(season / length))
    .filter((season) => season > 1);
  return [...new Set(seasons)];
}

/** Returns the seasons of the naive forecast: 1 (the last value), and seasons that occur at least twice in the rows. */
export function naiveSeasons(frequency: string, trainingRows: number): number[] {
  return [1, ...seasonLengths(frequency).filter((season) => season * 2 <= trainingRows)];
}
