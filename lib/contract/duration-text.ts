import { counted } from "./counted.ts";

const units: Record<string, string> = {
  ...{ D: "day", W: "week", M: "month", Y: "year" },
  ...{ TH: "hour", TM: "minute", TS: "second" },
};

/** A step of a series (ISO 8601, of one unit) in words: "hour", "week", "15 minutes"; any other as it stands. */
export function stepWord(frequency: string): string {
  const [, time = "", digits, letter] = /^P(T?)(\d+)([SMHDWY])$/.exec(frequency) ?? [];
  const unit = units[time + letter];
  if (unit === undefined) return frequency;
  const count = Number(digits);
  if (unit === "day" && count === 7) return "week";
  return count === 1 ? unit : counted(count, unit);
}

/** So many steps in words: "124 hours", "1 day", "3 steps of 15 minutes"; without a step of their own "3 steps". */
export function stepsText(count: number, frequency: string | null): string {
  const word = frequency === null ? "step" : stepWord(frequency);
  if (/^[a-z]+$/.test(word)) return counted(count, word);
  return `${counted(count, "step")} of ${word}`;
}
