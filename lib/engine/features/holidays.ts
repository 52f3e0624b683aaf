import { zoneOffset } from "#lib/engine/csv/timezones";

const DAY_MS = 86_400_000;

/**
 * Returns the days from each instant's local date to the next holiday and since the last one: 0 on a holiday, at most
 * `reach`. `days` are the holidays as ascending days since 1970-01-01. NaN for NaN.
 */
export function holidayDistances(
  instants: Float64Array,
  timezone: string,
  { days, reach }: { days: readonly number[]; reach: number },
): { until: Float32Array; since: Float32Array } {
  const offset = zoneOffset(timezone);
  const until = new Float32Array(instants.length);
  const since = new Float32Array(instants.length);
  for (let row = 0; row < instants.length; row++) {
    const instant = instants[row]!;
    const day = Math.floor((instant + offset(instant)) / DAY_MS);
    const next = firstAtOrAfter(days, day);
    const last = days[next] === day ? next : next - 1;
    until[row] = Number.isNaN(day)
      ? Number.NaN
      : Math.min(reach, (days[next] ?? Number.POSITIVE_INFINITY) - day);
    since[row] = Number.isNaN(day)
      ? Number.NaN
      : Math.min(reach, day - (days[last] ?? Number.NEGATIVE_INFINITY));
  }
  return { until, since };
}

function firstAtOrAfter(days: readonly number[], day: number): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]! < day) low = middle + 1;
    else high = middle;
  }
  return low;
}
