/** How numbers, times and sizes are written everywhere. */

// Made once: to make one takes longer than a hundred numbers by it.
const integer = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fourDigits = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

/** Sensible digits: 12,345 · 123.4 · 1.234 · 0.00123. A missing value is a dash. */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size >= 10_000) return integer.format(value);
  if (size === 0 || Number.isInteger(value)) return integer.format(value);
  return fourDigits.format(value);
}

export function formatInteger(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : integer.format(value);
}

/** With its sign: differences. */
export function formatSigned(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  return value > 0 ? `+${formatNumber(value)}` : formatNumber(value).replace("-", "−");
}

export function formatPercent(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  return `${formatSigned(Math.round(value * 100) / 100)} %`;
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

/** In the viewer's zone. */
export function formatDateTime(iso: string): string {
  return dateTime.format(new Date(iso));
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

export function formatRelative(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1_000;
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  }
  return "just now";
}
