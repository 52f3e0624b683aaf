import type { TargetSeries } from "#lib/contract/target-series";
import { type ChartAxis, domainOf } from "./axis.ts";
import { type Band, columnOf } from "./columns.ts";
import { actualId, actualSeries, type ChartSeries, type PreparedComparison } from "./prepare-comparison.ts";
import type { Span } from "./scale.ts";

const DAY_MS = 86_400_000;
const SEASONS = 2;

/** Returns the length of the longest season of points: a week of points shorter than a day, otherwise a year. */
function seasonOf({ xs, domain: [first, last] }: Pick<ChartAxis, "xs" | "domain">): number {
  const step = (last - first) / Math.max(1, xs.length - 1);
  // Hours of a day can be missing, and a year is rounded up.
  return step < 0.9 * DAY_MS ? 7 * DAY_MS : 366 * DAY_MS;
}

/**
 * Returns the span of known values that a chart shows before its first point: as long as the chart, at most two seasons. Null without
 * times, and for a single point.
 */
export function pastSpan(
  axis: Pick<ChartAxis, "kind" | "xs" | "domain">,
): { from: string; to: string } | null {
  const [first, last] = axis.domain;
  if (axis.kind !== "time" || axis.xs.length === 0) return null;
  const step = (last - first) / Math.max(1, axis.xs.length - 1);
  // Months and quarters differ in length, so half a step more reaches the first of them.
  const length = Math.min(last - first + 1.5 * step, SEASONS * seasonOf(axis));
  // A single point has no distance to another.
  if (length === 0) return null;
  const iso = (time: number) => new Date(time).toISOString();
  return { from: iso(first - length), to: iso(first - 1) };
}

/**
 * Adds known values of the target before the first point of a chart, as a line that the actuals continue. `origin` is then the last of
 * them. Returns the chart as it is without such values.
 *
 * @param within shown span, if the chart has only a part of the points
 */
export function withPast(
  prepared: PreparedComparison,
  past: TargetSeries | undefined,
  within: Span = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
): PreparedComparison {
  if (past === undefined || prepared.kind !== "time") return prepared;
  const times = past.timestamps?.map((time) => Date.parse(time)) ?? [];
  const end = prepared.xs[0] ?? Number.POSITIVE_INFINITY;
  // A bucket that reaches into the forecast, or that the known rows do not cover, has an aggregate of other rows.
  const kept = times.flatMap((time, at) =>
    time < end && time >= within[0] && time <= within[1] && past.buckets?.complete[at] !== false ? [at] : [],
  );
  if (kept.every((at) => past.values[at] === null)) return prepared;
  const known = columnOf(kept.map((at) => past.values[at]!));
  const gap = new Float64Array(kept.length).fill(Number.NaN);
  const shifted = (column: Float64Array, before: Float64Array = gap) => {
    const all = new Float64Array(before.length + column.length);
    all.set(before);
    all.set(column, before.length);
    return all;
  };
  const shiftedOf = <C extends Float64Array | null>(column: C) => column && shifted(column);
  const shiftedBand = ({ lower, upper, inner }: Band): Band => ({
    lower: shifted(lower),
    upper: shifted(upper),
    ...(inner && { inner: shiftedBand(inner) }),
  });
  const series = prepared.series.map(
    (one): ChartSeries => ({
      ...one,
      values: shifted(one.values, one.id === actualId ? known : gap),
      differences: shiftedOf(one.differences),
      cumulative: shiftedOf(one.cumulative),
      band: one.band && shiftedBand(one.band),
    }),
  );
  const rest = prepared.xs.map(() => Number.NaN);
  if (!series.some(({ id }) => id === actualId)) series.push(actualSeries(shifted(rest, known), null));
  const xs = shifted(
    prepared.xs,
    Float64Array.from(kept, (at) => times[at]!),
  );
  const { buckets } = prepared;
  return {
    ...prepared,
    xs,
    domain: domainOf(xs),
    ...(buckets && { buckets: { ...buckets, complete: [...kept.map(() => true), ...buckets.complete] } }),
    series,
    origin: times[kept.at(-1)!]!,
  };
}
