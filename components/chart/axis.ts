/** The shared horizontal axis: time (epoch milliseconds) or row numbers from 1. */
export type AxisKind = "time" | "row";

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

/** A tick as fine as the span needs and no finer. Series are in UTC: a forecast's hours are not the viewer's. */
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

/** The crosshair's label. */
export function pointLabel(kind: AxisKind, value: number): string {
  if (kind === "row") return `Row ${rowTick.format(value)}`;
  return value % day === 0 ? fullDay(value) : `${fullLabel(value)} UTC`;
}

/** What the rows of a table are called whose head names the zone: by days where all are midnights, as daily data are. */
export function rowLabels(kind: AxisKind, values: readonly number[]): (value: number) => string {
  if (kind === "row") return (value) => rowTick.format(value);
  return values.every((value) => value % day === 0) ? fullDay : fullLabel;
}

/** As the API takes it in `from` and `to`. */
export function boundOf(kind: AxisKind, value: number): string {
  return kind === "row" ? String(Math.round(value)) : new Date(value).toISOString();
}
