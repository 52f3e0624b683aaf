const DAY_MS = 86_400_000;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Returns epoch milliseconds at 00:00 UTC of a day of the proleptic Gregorian calendar, or NaN if the day does not
 * exist. Counts from March, so that the leap day is the year's last (Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms", days_from_civil).
 */
export function dayMs(year: number, month: number, day: number): number {
  if (month < 1 || month > 12 || day < 1) return Number.NaN;
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (day > MONTH_DAYS[month - 1]! + (leap ? 1 : 0)) return Number.NaN;
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return (era * 146_097 + dayOfEra - 719_468) * DAY_MS;
}
