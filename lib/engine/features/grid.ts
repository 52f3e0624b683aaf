import { civilDate } from "#lib/engine/time/calendar";
import { wallToInstant, type ZoneOffset, zoneOffset } from "#lib/engine/time/timezones";
import { businessDay, commonMonthDay, dayOfBusinessDay, daysInMonth, parseFrequency } from "./frequency.ts";

const DAY_MS = 86_400_000;

/** A regular series: its step (see `parseFrequency`), the zone in which days are counted, and the instant of index 0. */
export type GridDefinition = {
  frequency: string;
  timezone: string;
  start: number;
  /** For months: the day of the month, 31 for the last one. Absent in older models: the start's day. */
  monthDay?: number | undefined;
};

/** Defines the grid of a series. Only all times together show whether months step from day to day or from end to end. */
export function gridOf(
  times: Float64Array,
  { frequency, timezone }: Pick<GridDefinition, "frequency" | "timezone">,
): GridDefinition {
  const monthDay = monthDayOf(times, { frequency, timezone });
  const definition = { frequency, timezone, start: times[0]!, ...(monthDay !== null && { monthDay }) };
  if (parseFrequency(frequency).unit === "ms") return definition;
  const offset = zoneOffset(timezone);
  const timeOfDay = times.reduce((least, time) => Math.min(least, wallTimeOfDay(time, offset)), DAY_MS);
  return atTimeOfDay(definition, timeOfDay);
}

const wallDay = (instant: number, offset: ZoneOffset) => Math.floor((instant + offset(instant)) / DAY_MS);

const wallTimeOfDay = (instant: number, offset: ZoneOffset) =>
  instant + offset(instant) - wallDay(instant, offset) * DAY_MS;

/**
 * Returns a grid of days or months whose steps have this time of day (milliseconds). If the clocks skip it at the start,
 * the clock shows a later time there, which all steps would take: the grid then begins one step earlier.
 */
export function atTimeOfDay(definition: GridDefinition, timeOfDay: number): GridDefinition {
  const offset = zoneOffset(definition.timezone);
  const onDayOf = (instant: number) => wallToInstant(wallDay(instant, offset) * DAY_MS + timeOfDay, offset);
  const isSkipped = (instant: number) => wallTimeOfDay(instant, offset) !== timeOfDay;
  let { start } = definition;
  if (!isSkipped(start) || onDayOf(start) !== start) return definition;
  const { timeAt } = createGrid(definition);
  for (let index = -1; isSkipped(start); index--) start = onDayOf(timeAt(index));
  return { ...definition, start };
}

/** Returns the day of the month of a series of months (31 for the last one), or null for other series. */
export function monthDayOf(
  times: Float64Array,
  { frequency, timezone }: Pick<GridDefinition, "frequency" | "timezone">,
): number | null {
  if (parseFrequency(frequency).unit !== "month") return null;
  const offset = zoneOffset(timezone);
  return commonMonthDay(Array.from(times, (time) => civilDate(time + offset(time))));
}

export type Grid = {
  /** Returns the index of an instant's grid cell, negative before the start. NaN for NaN. */
  indexOf: (instant: number) => number;
  /** Returns the instant at which a cell begins. For months: the start's day of the month, or the month's last day. */
  timeAt: (index: number) => number;
};

/** Maps instants to consecutive integers and back, so that gaps in a series appear as missing indexes. */
export function createGrid({ frequency, timezone, start, monthDay }: GridDefinition): Grid {
  const step = parseFrequency(frequency);
  if (step.unit === "ms") {
    return {
      indexOf: (instant) => Math.floor((instant - start) / step.count),
      timeAt: (index) => start + index * step.count,
    };
  }
  const offset = zoneOffset(timezone);
  const wallStart = start + offset(start);
  const startDay = Math.floor(wallStart / DAY_MS);
  const timeOfDay = wallStart - startDay * DAY_MS;
  if (step.unit === "day") {
    return {
      indexOf: (instant) =>
        Math.floor((Math.floor((instant + offset(instant)) / DAY_MS) - startDay) / step.count),
      timeAt: (index) => wallToInstant((startDay + index * step.count) * DAY_MS + timeOfDay, offset),
    };
  }
  if (step.unit === "business") {
    const firstBusinessDay = businessDay(startDay);
    return {
      indexOf: (instant) => businessDay(Math.floor((instant + offset(instant)) / DAY_MS)) - firstBusinessDay,
      timeAt: (index) =>
        wallToInstant(dayOfBusinessDay(firstBusinessDay + index) * DAY_MS + timeOfDay, offset),
    };
  }
  const first = civilDate(wallStart);
  const firstMonth = first.year * 12 + first.month - 1;
  const day = monthDay ?? commonMonthDay([first]);
  return {
    indexOf: (instant) => {
      if (!Number.isFinite(instant)) return Number.NaN;
      const date = civilDate(instant + offset(instant));
      return Math.floor((date.year * 12 + date.month - 1 - firstMonth) / step.count);
    },
    timeAt: (index) => {
      const months = firstMonth + index * step.count;
      const year = Math.floor(months / 12);
      const month = months - year * 12 + 1;
      const wall = new Date(0).setUTCFullYear(year, month - 1, Math.min(day, daysInMonth(year, month)));
      return wallToInstant(wall + timeOfDay, offset);
    },
  };
}
