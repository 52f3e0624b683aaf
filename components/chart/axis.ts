/** Kind of the shared horizontal axis: time (epoch milliseconds) or row numbers from 1. */
export type AxisKind = "time" | "row";

/** `xs` holds the position of each point, `domain` the first and the last position. */
export type ChartAxis = { kind: AxisKind; xs: Float64Array; domain: [number, number] };

/** Returns the axis of a response: its times, or its row numbers if it has no times. */
export function axisOf({
  timestamps,
  rows,
}: {
  timestamps?: readonly string[] | null | undefined;
  rows?: readonly number[] | undefined;
}): ChartAxis {
  const xs = Float64Array.from(timestamps?.map((at) => Date.parse(at)) ?? rows ?? []);
  return { kind: timestamps ? "time" : "row", xs, domain: domainOf(xs) };
}

export function domainOf(xs: Float64Array): [number, number] {
  return [xs[0] ?? 0, xs.at(-1) ?? 1];
}

const day = 86_400_000;

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
  return (value: number) => formatter.format(value);
};
const minuteTick = format({ hour: "2-digit", minute: "2-digit" });
const hourTick = format({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const dayTick = format({ day: "numeric", month: "short" });
const monthTick = format({ month: "short", year: "numeric" });
const rowTick = new Intl.NumberFormat("en");

/**
 * Formats a tick with the detail that the span needs. Series use UTC: a forecast's hours do not depend on the viewer's
 * zone.
 */
export function tickFormatter(kind: AxisKind, from: number, to: number): (value: number) => string {
  if (kind === "row") return (value) => rowTick.format(value);
  const span = to - from;
  if (span <= day) return minuteTick;
  if (span <= 4 * day) return hourTick;
  return span <= 400 * day ? dayTick : monthTick;
}

const fullLabel = format({
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const fullDay = format({ weekday: "short", day: "numeric", month: "short", year: "numeric" });

/** Formats the crosshair's label. */
export function pointLabel(kind: AxisKind, value: number): string {
  if (kind === "row") return `Row ${rowTick.format(value)}`;
  return value % day === 0 ? fullDay(value) : `${fullLabel(value)} UTC`;
}

/**
 * Returns labels for table rows whose header names the zone. Uses days if all times are midnights, as in daily data.
 */
export function rowLabels(kind: AxisKind, values: Float64Array): (value: number) => string {
  if (kind === "row") return (value) => rowTick.format(value);
  return values.every((value) => value % day === 0) ? fullDay : fullLabel;
}

/** Formats a position for the API parameters `from` and `to`. */
export function boundOf(kind: AxisKind, value: number): string {
  return kind === "row" ? String(Math.round(value)) : new Date(value).toISOString();
}
