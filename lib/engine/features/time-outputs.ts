import { calendarValues, FIELD_CYCLE } from "#lib/engine/time/calendar";
import { zoneOffset } from "#lib/engine/time/timezones";
import { indicators, type Output } from "./output.ts";
import type { Step } from "./pipeline.ts";

/** Times of the rows: the column's name, the instants (epoch milliseconds), and the zone of the calendar. */
export type RowTimes = { source: string; instants: Float64Array; timezone: string };

export function calendarOutputs({ source, instants, timezone }: RowTimes, step: Step<"calendar">): Output[] {
  const values = calendarValues(instants, step.field, timezone);
  if (step.encoding === "cyclic") {
    return Array.from({ length: step.harmonics }, (_, i) => i + 1).flatMap((harmonic) => {
      const angle = (2 * Math.PI * harmonic) / step.period;
      const wave = (name: string, of: (angle: number) => number): Output => ({
        name: `${step.field} ${name} ${harmonic}`,
        source,
        values: Float32Array.from(values, (value) => of(angle * value)),
      });
      return [wave("sin", Math.sin), wave("cos", Math.cos)];
    });
  }
  if (step.encoding === "number") return [{ name: step.field, source, values: Float32Array.from(values) }];
  if (step.field === "year") throw new RangeError("A year is not cyclic and has no one-hot encoding.");
  const { first, count } = FIELD_CYCLE[step.field];
  const places = Int32Array.from(values, (value) => (Number.isNaN(value) ? -1 : value - first));
  return indicators(places, count).map((column, place) => ({
    name: `${step.field} = ${first + place}`,
    source,
    values: column,
  }));
}

/** Returns whether a day is a holiday, and the distances to the next and the last holiday. */
export function holidayOutputs({ source, instants, timezone }: RowTimes, step: Step<"holiday">): Output[] {
  const { until, since } = holidayDistances(instants, timezone, step);
  return [
    {
      name: "holiday",
      source,
      values: until.map((days) => (Number.isNaN(days) ? days : Number(days === 0))),
    },
    { name: "days until holiday", source, values: until },
    { name: "days since holiday", source, values: since },
  ];
}

export function trendOutput({ source, instants }: RowTimes, { start, unitMs }: Step<"trend">): Output {
  return {
    name: "trend",
    source,
    values: Float32Array.from(instants, (instant) => (instant - start) / unitMs),
  };
}

const DAY_MS = 86_400_000;

/**
 * Returns the days from each instant's local date to the next holiday and since the last one: 0 on a holiday, at most
 * `reach`. `days` are the holidays as ascending days since 1970-01-01. NaN for NaN.
 */
function holidayDistances(
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
