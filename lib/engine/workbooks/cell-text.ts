/** Parts that the format of a cell shows of a number: a date, a time of day, or both. */
export type DateParts = { hasDate: boolean; hasTime: boolean };

/** Formats of dates and times that have no code in the file, by number. */
const BUILT_IN = new Map<number, DateParts>(
  [14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]
    .map((id): [number, DateParts] => [id, { hasDate: true, hasTime: false }])
    .concat(
      [18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id) => [
        id,
        { hasDate: false, hasTime: true },
      ]),
    )
    .concat([[22, { hasDate: true, hasTime: true }]]),
);

/** Returns what a number format shows of a date, by its code, or by its number if the file has no code for it. */
export function datePartsOf(id: number, code: string | undefined): DateParts | null {
  if (code === undefined) return BUILT_IN.get(id) ?? null;
  // Texts, escaped characters, widths, colours and conditions are no parts of a date. [h] is a number of hours.
  const [plain = ""] = code
    .replace(/"[^"]*"|\\.|_.|\*./g, "")
    .replace(/\[(?![hms]+\])[^\]]*\]/gi, "")
    .split(";");
  if (/general/i.test(plain)) return null;
  const hasTime = /[hs]/i.test(plain);
  const hasDate = /[yd]/i.test(plain) || (/m/i.test(plain) && !hasTime);
  return hasDate || hasTime ? { hasDate, hasTime } : null;
}

const DAY_SECONDS = 86_400;
const two = (value: number) => String(value).padStart(2, "0");

/** Days from 1970 back to day 0 of the two systems of dates. */
const DAY_ZERO = { from1900: 25_569, from1904: 24_107 };

/**
 * Returns a number of days as ISO 8601 to the second: `2024-01-31`, `2024-01-31 14:05:00`, or `14:05` without a date.
 *
 * @param is1904 whether day 0 is 1 January 1904, as in files of old Macs
 */
export function dateText(days: number, { hasDate, hasTime }: DateParts, is1904: boolean): string | null {
  const seconds = Math.round(days * DAY_SECONDS);
  const ofDay = ((seconds % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS;
  if (!hasDate) {
    if (seconds < 0) return null;
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    return `${two(hours)}:${two(minutes)}${seconds % 60 === 0 ? "" : `:${two(seconds % 60)}`}`;
  }
  // The first system has a day that never was, 29 February 1900, so that earlier days are one more.
  const shift = !is1904 && seconds < 60 * DAY_SECONDS ? 1 : 0;
  if (!is1904 && (seconds < DAY_SECONDS || (days >= 60 && days < 61))) return null;
  const at = new Date(
    (seconds - ((is1904 ? DAY_ZERO.from1904 : DAY_ZERO.from1900) - shift) * DAY_SECONDS) * 1000,
  );
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 || seconds < 0) return null;
  const text = at.toISOString();
  return hasTime || ofDay !== 0 ? `${text.slice(0, 10)} ${text.slice(11, 19)}` : text.slice(0, 10);
}
