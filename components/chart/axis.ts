import {
  monthsOf,
  type Period,
  periodOf,
  periodOfBuckets,
  periodText,
  type SeriesCalendar,
  toWall,
  unknownCalendar,
} from "#components/time/period.ts";
import type { Buckets, BucketUnit } from "#lib/contract/buckets";

/** Kind of the shared horizontal axis: time (epoch milliseconds) or row numbers from 1. */
export type AxisKind = "time" | "row";

/**
 * `xs` holds the position of each point, `domain` the first and the last position. `buckets` is the aggregation of the
 * points. `period` is the calendar unit that they stand for; null for rows of hours or less, which are in UTC.
 */
export type ChartAxis = {
  kind: AxisKind;
  xs: Float64Array;
  domain: [number, number];
  buckets?: Buckets | undefined;
  period: Period | null;
};

export type Labelled = Pick<ChartAxis, "kind" | "xs" | "buckets" | "period">;
type BucketsAxis = Pick<ChartAxis, "xs" | "buckets">;

/** Returns the axis of a response: its times, or its row numbers if it has no times. */
export function axisOf(
  {
    timestamps,
    rows,
    buckets,
  }: {
    timestamps?: readonly string[] | null | undefined;
    rows?: readonly number[] | undefined;
    buckets?: Buckets | undefined;
  },
  calendar: SeriesCalendar = unknownCalendar,
): ChartAxis {
  const xs = Float64Array.from(timestamps?.map((at) => Date.parse(at)) ?? rows ?? []);
  const ofRows = timestamps ? periodOf(xs, calendar) : null;
  return {
    kind: timestamps ? "time" : "row",
    xs,
    domain: domainOf(xs),
    period: buckets ? periodOfBuckets(buckets) : ofRows,
    ...(buckets && { buckets }),
  };
}

/** Returns the zone in which an axis shows times. */
export const zoneOf = ({ period }: Pick<ChartAxis, "period">) => period?.timezone ?? "UTC";

export function domainOf(xs: Float64Array): [number, number] {
  return [xs[0] ?? 0, xs.at(-1) ?? 1];
}

const minute = 60_000;
const day = 86_400_000;

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
  return (value: number) => formatter.format(value);
};
const time = { hour: "2-digit", minute: "2-digit" } as const;
const secondTick = format({ ...time, second: "2-digit" });
const minuteTick = format(time);
const hourTick = format({ day: "numeric", month: "short", ...time });
const dayTick = format({ day: "numeric", month: "short" });
const dateTick = format({ day: "numeric", month: "short", year: "numeric" });
const minuteLabel = format({ day: "numeric", month: "short", year: "numeric", ...time });
const monthTick = format({ month: "short", year: "numeric" });
const rowTick = new Intl.NumberFormat("en");

/**
 * Formats ticks: by the names of their months, quarters or years, and otherwise with the least detail that makes them
 * distinct. Hours of rows use UTC: a forecast's hours do not depend on the viewer's zone.
 */
export function tickFormatter(
  kind: AxisKind,
  instants: readonly number[],
  period: Period | null,
): (value: number) => string {
  if (kind === "row") return (value) => rowTick.format(value);
  if (period && period.unit in monthsOf) return (value) => periodText(period, value);
  const timezone = zoneOf({ period });
  const format = wallFormatter(instants.map((tick) => toWall(timezone, tick)));
  return (value) => format(toWall(timezone, value));
}

function wallFormatter(ticks: readonly number[]): (value: number) => string {
  const span = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0);
  if (areMultiples(ticks, day)) {
    if (span < 365 * day) return dayTick;
    return ticks.every((value) => new Date(value).getUTCDate() === 1) ? monthTick : dateTick;
  }
  if (!areMultiples(ticks, minute)) return secondTick;
  return span < day ? minuteTick : hourTick;
}

function areMultiples(values: readonly number[] | Float64Array, step: number): boolean {
  return values.every((value: number) => value % step === 0);
}

const date = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
const fullSecond = format({ ...date, ...time, second: "2-digit" });
const fullLabel = format({ ...date, ...time });

const fullFormats = new WeakMap<Float64Array, (value: number) => string>();

/** Returns the format with the least detail that the points need. Reads the points once, not for each label. */
function fullFormat(xs: Float64Array): (value: number) => string {
  let format = fullFormats.get(xs);
  if (format) return format;
  format = areMultiples(xs, minute) ? fullLabel : fullSecond;
  fullFormats.set(xs, format);
  return format;
}

/** Names a place of the axis: its period, or its time in UTC. */
export function pointLabel({ kind, xs, period }: Labelled, value: number): string {
  if (kind === "row") return `Row ${rowTick.format(value)}`;
  return period ? periodText(period, value) : `${fullFormat(xs)(value)} UTC`;
}

/** Returns labels for table rows whose header names the zone. */
export function rowLabels({ kind, xs, period }: Labelled): (value: number) => string {
  if (kind === "row") return (value) => rowTick.format(value);
  return period ? (value) => periodText(period, value) : fullFormat(xs);
}

/** Names the first column of a table of points: "Time (UTC)", "Week (Europe/Berlin)", "Month" or "Row". */
export function axisName({ kind, buckets, period }: Labelled): string {
  if (kind === "row") return "Row";
  if (!period) return "Time (UTC)";
  // The zone decides to which period an hour belongs; rows of days have no hours.
  return buckets ? `${unitNames[period.unit]} (${buckets.timezone})` : unitNames[period.unit];
}

export const unitNames: Record<BucketUnit, string> = {
  hour: "Hour",
  day: "Day",
  week: "Week",
  month: "Month",
  quarter: "Quarter",
  year: "Year",
};

/** Describes an aggregation: "sum by day". */
export const bucketText = ({ unit, aggregate }: Pick<Buckets, "unit" | "aggregate">) =>
  `${aggregate === "last" ? "last value" : aggregate} by ${unit}`;

/** Returns a note about a point whose bucket the rows do not cover: "Incomplete month: rows from 20 Jan 2026". */
export function incompleteNote(axis: BucketsAxis, at: number): string | null {
  if (axis.buckets?.complete[at] !== false) return null;
  return `Incomplete ${axis.buckets.unit}: ${coverText(axis.buckets, axis.xs[at]!, axis.xs[at + 1])}`;
}

/** Lists the buckets that the rows do not cover; null without any. */
export function incompleteText(axis: BucketsAxis): string | null {
  const { buckets, xs } = axis;
  const parts = buckets?.complete.flatMap((isComplete, at) =>
    isComplete
      ? []
      : [`${periodText(periodOfBuckets(buckets), xs[at]!)} (${coverText(buckets, xs[at]!, xs[at + 1])})`],
  );
  return parts && parts.length > 0 ? `Incomplete: ${parts.join(", ")}.` : null;
}

/** Names the part of a bucket that has rows, by the first or the last row: only they end within a bucket. */
function coverText({ from, to, timezone }: Buckets, start: number, next: number | undefined): string {
  const ends = [from, to].map((at) => (at === null ? Number.NaN : toWall(timezone, Date.parse(at))));
  const text = areMultiples(ends, day) ? dateTick : minuteLabel;
  const begins = from !== null && Date.parse(from) >= start;
  const stops = to !== null && !(next !== undefined && Date.parse(to) >= next);
  return ["rows", begins && `from ${text(ends[0]!)}`, stops && `to ${text(ends[1]!)}`]
    .filter(Boolean)
    .join(" ");
}

/** Formats a position for the API parameters `from` and `to`. */
export function boundOf(kind: AxisKind, value: number): string {
  return kind === "row" ? String(Math.round(value)) : new Date(value).toISOString();
}
