import { counted } from "./counted.ts";

/** Step of a series without rows on weekends, in place of a duration. On the wire: `P1D` with `calendar: "business"`. */
export const BUSINESS_DAY = "P1B";

/** Returns the step of a dataset: its ISO 8601 duration, or `BUSINESS_DAY`. Null for rows without a regular step. */
export function stepOf(dataset: { frequency: string | null; calendar: "business" | null }): string | null {
  return dataset.calendar === "business" ? BUSINESS_DAY : dataset.frequency;
}

const units: Record<string, string> = {
  D: "day",
  W: "week",
  M: "month",
  Y: "year",
  TH: "hour",
  TM: "minute",
  TS: "second",
};

/**
 * Writes the step of a series (ISO 8601, one unit, or `BUSINESS_DAY`) as English text: "hour", "week", "15 minutes".
 * Returns other durations unchanged.
 */
export function stepWord(frequency: string): string {
  if (frequency === BUSINESS_DAY) return "business day";
  const [, time = "", digits, letter] = /^P(T?)(\d+)([SMHDWY])$/.exec(frequency) ?? [];
  const unit = units[time + letter];
  if (unit === undefined) return frequency;
  const count = Number(digits);
  if (unit === "day" && count === 7) return "week";
  return count === 1 ? unit : counted(count, unit);
}

const seconds: Record<string, number> = { S: 1, M: 60, H: 3_600 };

/** Writes the length of some steps in the largest whole unit: 24 steps of an hour are "1 day". */
export function spanText(count: number, frequency: string | null): string {
  const [, digits, letter = ""] = /^PT(\d+)([SMH])$/.exec(frequency ?? "") ?? [];
  const total = count * Number(digits) * (seconds[letter] ?? Number.NaN);
  if (total % 86_400 === 0) return counted(total / 86_400, "day");
  if (total % 3_600 === 0) return counted(total / 3_600, "hour");
  if (total % 60 === 0) return counted(total / 60, "minute");
  return stepsText(count, frequency);
}

/**
 * Writes a number of steps as English text: "124 hours", "1 day", "3 steps of 15 minutes". Without a frequency: "3
 * steps".
 */
export function stepsText(count: number, frequency: string | null): string {
  const word = frequency === null ? "step" : stepWord(frequency);
  if (/^[a-z ]+$/.test(word)) return counted(count, word);
  return `${counted(count, "step")} of ${word}`;
}
