import { parseFrequency } from "#lib/engine/features/frequency";

const DAY_MS = 86_400_000;

/** Steps in one season, shortest first: day, week and year as far as the frequency has them. */
export function seasonLengths(frequency: string): number[] {
  const step = parseFrequency(frequency);
  if (step.unit === "month") return step.count < 12 && 12 % step.count === 0 ? [12 / step.count] : [];
  const stepMs = step.unit === "day" ? step.count * DAY_MS : step.count;
  const seasons = [DAY_MS, 7 * DAY_MS, 364 * DAY_MS]
    .filter((season) => season > stepMs)
    .map((season) => Math.round(season / stepMs));
  return [...new Set(seasons)];
}

/** What a naive forecast may repeat: the last value, or a season that the rows have seen come round twice. */
export function naiveSeasons(frequency: string, trainingRows: number): number[] {
  return [1, ...seasonLengths(frequency).filter((season) => season * 2 <= trainingRows)];
}
