import { type AxisKind, fromWall, toWall } from "./axis.ts";
import { niceTicks } from "./nice-ticks.ts";

export type Span = readonly [from: number, to: number];

/** Maps numbers to pixels: x from `left` to `right`, y from `bottom` up to `top`. */
export type Scale = { x: Span; y: Span; left: number; right: number; top: number; bottom: number };

export const toX = ({ x, left, right }: Scale, value: number): number =>
  left + ((value - x[0]) / (x[1] - x[0] || 1)) * (right - left);

export const toY = ({ y, top, bottom }: Scale, value: number): number =>
  bottom - ((value - y[0]) / (y[1] - y[0] || 1)) * (bottom - top);

export const fromX = ({ x, left, right }: Scale, pixel: number): number =>
  x[0] + ((pixel - left) / (right - left || 1)) * (x[1] - x[0]);

/** Moves a span into the full range. Keeps its width if possible and enforces the minimum length. */
export function fitted([from, to]: Span, [first, last]: Span, shortest: number): Span {
  const width = Math.min(last - first, Math.max(to - from, shortest));
  const start = Math.min(Math.max(from - (width - (to - from)) / 2, first), last - width);
  // Returns the exact numbers if the span did not move, to avoid rounding.
  return from >= first && to <= last && width === to - from ? [from, to] : [start, start + width];
}

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

/** Returns about `count` ticks of the horizontal axis at full seconds, minutes, hours, days, months or years of a zone. */
export function axisTicks(kind: AxisKind, [from, to]: Span, count: number, timezone = "UTC"): number[] {
  if (!(to > from)) return [from];
  if (kind === "row") {
    return niceTicks(from, to, count).filter((tick) => tick >= from && tick <= to && Number.isInteger(tick));
  }
  const ticks = wallTicks([toWall(timezone, from), toWall(timezone, to)], count);
  // Two local times are one instant where the clock is put forward.
  return [...new Set(ticks.map((tick) => fromWall(timezone, tick)))];
}

function wallTicks([from, to]: Span, count: number): number[] {
  const rough = (to - from) / count;
  const suited = to - from < minute ? secondSteps.concat(steps) : steps;
  const fits = suited.findIndex((one) => one >= rough);
  if (fits !== -1) {
    const ticks = multiples(suited[fits]!, from, to);
    // A single label does not show the length of the span.
    return ticks.length > 1 || fits === 0 ? ticks : multiples(suited[fits - 1]!, from, to);
  }
  const fitting = months.findIndex((one) => one * longestMonth >= rough);
  const ticks = monthTicks(months.at(fitting)!, from, to);
  if (ticks.length > 1 || fitting === -1) return ticks;
  return fitting === 0 ? multiples(suited.at(-1)!, from, to) : monthTicks(months[fitting - 1]!, from, to);
}

function monthTicks(every: number, from: number, to: number): number[] {
  const start = new Date(from);
  const ticks: number[] = [];
  const firstMonth = start.getUTCFullYear() * 12 + start.getUTCMonth();
  for (let month = Math.floor(firstMonth / every) * every; ; month += every) {
    const tick = Date.UTC(Math.floor(month / 12), month % 12);
    if (tick > to) return ticks;
    if (tick >= from) ticks.push(tick);
  }
}
