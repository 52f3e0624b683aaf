/** Formats numbers, times and sizes for the whole UI. */

// Created once, because creating a formatter takes longer than formatting a hundred numbers.
const integer = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fourDigits = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

/** Formats a number with significant digits: 12,345 · 123.4 · 1.234 · 0.00123 · 2.49e−7. A missing value is a dash. */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size > 0 && size < TINY) return withMinus(String(Number(value.toPrecision(3)).toExponential()));
  const format = size >= 10_000 || Number.isInteger(value) ? integer : fourDigits;
  return withMinus(format.format(value));
}

/** Replaces the hyphen with a minus sign as wide as a plus. */
const withMinus = (text: string) => text.replaceAll("-", "−");

/** Size below which numbers use scientific notation. */
const TINY = 1e-4;
const DECIMALS_MAX = 7;

/**
 * Formats a column's numbers with equal decimals, so that they align: four digits of the largest. Whole numbers stay
 * whole. Numbers too small for decimals use scientific notation.
 */
export function formatColumn(values: readonly (number | null | undefined)[]): typeof formatNumber {
  const known = values.filter((value) => typeof value === "number" && Number.isFinite(value)) as number[];
  const largest = Math.max(0, ...known.map(Math.abs));
  if (known.every(Number.isInteger)) return formatNumber;
  const decimals = Math.max(0, 3 - Math.floor(Math.log10(largest)));
  return decimals > DECIMALS_MAX ? formatNumber : formatDecimals(decimals);
}

/** Returns a format with a fixed number of decimals. A value that rounds to 0 has no sign. */
export function formatDecimals(decimals: number): typeof formatNumber {
  const format = new Intl.NumberFormat("en", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: "negative",
  });
  return (value) =>
    typeof value === "number" && Number.isFinite(value) ? withMinus(format.format(value)) : "–";
}

export function formatInteger(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : integer.format(value);
}

/** Formats an interval: "131.6 – 179.0"; a dash if a bound is missing. */
export function formatInterval(
  lower: number | null | undefined,
  upper: number | null | undefined,
  format = formatNumber,
): string {
  const isMissing = [lower, upper].some((end) => typeof end !== "number" || Number.isNaN(end));
  return isMissing ? "–" : `${format(lower)} – ${format(upper)}`;
}

/** Writes a name in a sentence, so that no reader takes it for a word of the sentence. */
export const quoted = (name: string) => `“${name}”`;

/** Formats a difference with its sign. A value that rounds to 0 has no sign. */
export function formatSigned(value: number | null | undefined, format = formatNumber): string {
  const text = format(value);
  return value && value > 0 && !/^[0.]+$/.test(text) ? `+${text}` : text;
}

/** Formats a difference in per cent with its sign: +31.72 %. A value that rounds to 0 has no sign. */
export function formatPercent(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  return `${formatSigned(value, () => roundedPercent(value, 2))} %`;
}

const tenDecimals = new Intl.NumberFormat("en", { maximumFractionDigits: 10 });

/**
 * Rounds to the given decimals, and uses more if the result would wrongly read 0 or 100. 45.6 → "46", 99.84 → "99.8",
 * 0.04 → "0.04".
 */
export function roundedPercent(percent: number, decimals: number): string {
  const exact = Number(percent.toFixed(10));
  let rounded = exact;
  for (let more = 0; more < 10 - decimals; more++) {
    rounded = Number(percent.toFixed(decimals + more));
    if (rounded === exact || (rounded !== 0 && Math.abs(rounded) !== 100)) break;
  }
  return Math.abs(rounded) > 101 ? formatNumber(rounded) : withMinus(tenDecimals.format(rounded + 0));
}

const oneDecimal = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Formats a fraction of 1 in a list: 36.7 %, 14.0 %, 1.0 %. Small nonzero values read < 0.1 %, large ones > 99.9 %. */
export function formatShare(part: number): string {
  if (part > 0 && part < 0.0005) return "< 0.1 %";
  if (part < 1 && part >= 0.9995) return "> 99.9 %";
  return `${withMinus(oneDecimal.format(part * 100))} %`;
}

const units = ["B", "kB", "MB", "GB"];

export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1_000 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${formatNumber(Number(size.toPrecision(3)))} ${units[unit]}`;
}

const dateTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** Formats a time in the viewer's zone. */
export function formatDateTime(iso: string): string {
  return dateTime.format(new Date(iso));
}

/** Formats an ISO 8601 instant as "2026-01-01 00:00:00 UTC". */
export const utcText = (iso: string) => `${iso.slice(0, 19).replace("T", " ")} UTC`;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

export function formatRelative(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1_000;
  for (const [unit, size] of steps) {
    // Whole units that have passed: rounding would give "60 minutes ago" or "24 hours ago".
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return "just now";
}
