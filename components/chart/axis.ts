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
const dateTick = format({ day: "numeric", month: "short", year: "numeric" });
const monthTick = format({ month: "short", year: "numeric" });
const rowTick = new Intl.NumberFormat("en");

/**
 * Formats ticks with the least detail that makes them distinct. Series use UTC: a forecast's hours do not depend on the
 * viewer's zone.
 */
export function tickFormatter(kind: AxisKind, ticks: readonly number[]): (value: number) => string {
  if (kind === "row") return (value) => rowTick.format(value);
  const span = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0);
  if (areMidnights(ticks)) {
    if (span < 365 * day) return dayTick;
    return ticks.every((value) => new Date(value).getUTCDate() === 1) ? monthTick : dateTick;
  }
  return span < day ? minuteTick : hourTick;
}

function areMidnights(values: readonly number[] | Float64Array): boolean {
  return values.every((value: number) => value % day === 0);
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

/** Formats a place of the axis, with its time of day unless all points lie at midnight, as in daily data. */
export function pointLabel({ kind, xs }: Pick<ChartAxis, "kind" | "xs">, value: number): string {
  if (kind === "row") return `Row ${rowTick.format(value)}`;
  return value % day === 0 && areMidnights(xs) ? fullDay(value) : `${fullLabel(value)} UTC`;
}

/**
 * Returns labels for table rows whose header names the zone. Uses days if all times are midnights, as in daily data.
 */
export function rowLabels(kind: AxisKind, values: Float64Array): (value: number) => string {
  if (kind === "row") return (value) => rowTick.format(value);
  return areMidnights(values) ? fullDay : fullLabel;
}

/** Formats a position for the API parameters `from` and `to`. */
export function boundOf(kind: AxisKind, value: number): string {
  return kind === "row" ? String(Math.round(value)) : new Date(value).toISOString();
}
