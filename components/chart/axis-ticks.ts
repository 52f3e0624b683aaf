import { fromWall, monthsOf, type Period, toWall, WEEK_MS } from "#components/time/period.ts";
import type { AxisKind } from "./axis.ts";
import { niceTicks } from "./nice-ticks.ts";
import type { Span } from "./scale.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const counts = [1, 2, 5, 10, 15, 30];
const steps = counts
  .map((count) => count * minute)
  .concat([1, 2, 3, 6, 12].map((count) => count * hour))
  .concat([1, 2, 3, 7, 14].map((count) => count * day));
const secondSteps = counts.map((count) => count * second);
const months = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600];
const longestMonth = 31 * day;

function multiples(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step) * step;
  return Array.from(
    { length: Math.max(0, Math.floor((to - first) / step) + 1) },
    (_, index) => first + index * step,
  );
}

/**
 * Returns about `count` ticks of the horizontal axis: at full seconds, minutes, hours, days, months or years of a zone. If
 * the points stand for periods, ticks lie where points can be, so that no tick falls between two quarters.
 */
export function axisTicks(
  kind: AxisKind,
  [from, to]: Span,
  count: number,
  period: Period | null = null,
): number[] {
  if (!(to > from)) return [from];
  if (kind === "row") {
    return niceTicks(from, to, count).filter((tick) => tick >= from && tick <= to && Number.isInteger(tick));
  }
  const timezone = period?.timezone ?? "UTC";
  const ticks = ticksOf(period, [toWall(timezone, from), toWall(timezone, to)], count);
  // Two local times are one instant where the clock is put forward.
  return [...new Set(ticks.map((tick) => fromWall(timezone, tick)))];
}

function ticksOf(period: Period | null, span: Span, count: number): number[] {
  const { unit, isLastDay = false, weekStart = 0 } = period ?? {};
  if (unit === "week") return weekTicks(span, count, weekStart);
  const size = unit && monthsOf[unit];
  if (size !== undefined) return ticksOfMonths(span, count, { size, isLastDay });
  return wallTicks(span, count, unit === "day" ? day : unit === "hour" ? hour : 0);
}

const weeks = [1, 2, 4, 13, 26, 52, 104, 260, 520, 1_040, 2_600];

function weekTicks([from, to]: Span, count: number, weekStart: number): number[] {
  const fits = weeks.findIndex((one) => one * WEEK_MS >= (to - from) / count);
  const ticksAt = (index: number) =>
    multiples(weeks.at(index)! * WEEK_MS, from - weekStart, to - weekStart).map((tick) => tick + weekStart);
  return withTwo(fits, ticksAt, count);
}

/** Returns ticks at months, quarters or years, by their number of months. */
function ticksOfMonths(
  [from, to]: Span,
  count: number,
  { size, isLastDay }: { size: number; isLastDay: boolean },
): number[] {
  const suited = months.filter((one) => one % size === 0);
  const fits = suited.findIndex((one) => one * longestMonth >= (to - from) / count);
  return withTwo(fits, (index) => monthTicks(suited.at(index)!, from, to, isLastDay ? size : 0), count);
}

/** Returns the ticks of a step, or of a shorter one: a single label does not show the length of the span. */
function withTwo(fits: number, ticksAt: (index: number) => number[], count: number): number[] {
  const ticks = ticksAt(fits);
  return ticks.length > 1 || fits <= 0 ? ticks : thinned(withTwo(fits - 1, ticksAt, count), count);
}

/**
 * Leaves out ticks for which there is no room. For example, 8 seconds with room for 2 ticks have one tick every 5 seconds, and
 * five every 2 seconds; every second one of these is shown.
 */
function thinned(ticks: number[], count: number): number[] {
  const every = Math.ceil(ticks.length / (count + 1));
  return ticks.filter((_, index) => index % every === 0);
}

function wallTicks([from, to]: Span, count: number, least: number): number[] {
  const rough = (to - from) / count;
  const suited = (to - from < minute ? secondSteps.concat(steps) : steps).filter((step) => step >= least);
  const fits = suited.findIndex((one) => one >= rough);
  if (fits !== -1) {
    const ticks = multiples(suited[fits]!, from, to);
    // A single label does not show the length of the span.
    return ticks.length > 1 || fits === 0 ? ticks : thinned(multiples(suited[fits - 1]!, from, to), count);
  }
  const fitting = months.findIndex((one) => one * longestMonth >= rough);
  const ticks = monthTicks(months.at(fitting)!, from, to);
  if (ticks.length > 1 || fitting === -1) return ticks;
  const shorter =
    fitting === 0 ? multiples(suited.at(-1)!, from, to) : monthTicks(months[fitting - 1]!, from, to);
  return thinned(shorter, count);
}

/** @param lastDayOf number of months of a period whose last day is the tick; 0: the first day */
function monthTicks(every: number, from: number, to: number, lastDayOf = 0): number[] {
  const start = new Date(from);
  const ticks: number[] = [];
  const firstMonth = start.getUTCFullYear() * 12 + start.getUTCMonth();
  for (let month = Math.floor(firstMonth / every) * every; ; month += every) {
    const tick = Date.UTC(Math.floor(month / 12), (month % 12) + lastDayOf, lastDayOf === 0 ? 1 : 0);
    if (tick > to) return ticks;
    if (tick >= from) ticks.push(tick);
  }
}
