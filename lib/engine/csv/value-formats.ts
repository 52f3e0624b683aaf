import type { ColumnFormatName } from "#lib/contract/reading";
import { type NumberFormat, numberReader } from "./number-format.ts";
import { readNumber } from "./numbers.ts";

type Marks = Pick<NumberFormat, "decimalMark" | "groupMark">;

const marks: Partial<Record<ColumnFormatName, Marks>> = {
  "decimal-point": { decimalMark: ".", groupMark: null },
  "decimal-comma": { decimalMark: ",", groupMark: null },
  "grouped-point": { decimalMark: ",", groupMark: "." },
  "grouped-comma": { decimalMark: ".", groupMark: "," },
};

const MAGNITUDE = /^([-+]?[\d.]+) ?(k|m|mn|mio\.?|b|bn|mrd\.?|t)?$/i;
const FACTORS: Record<string, number> = { k: 1e3, m: 1e6, b: 1e9, t: 1e12 };

/** Returns a number with a letter for thousands, millions, billions or trillions: 1.2K is 1200. */
function magnitude(text: string): number {
  const [, digits, letters = ""] = MAGNITUDE.exec(text) ?? [];
  if (digits === undefined) return Number.NaN;
  const factor = letters.toLowerCase().startsWith("mrd")
    ? 1e9
    : (FACTORS[letters[0]?.toLowerCase() ?? ""] ?? 1);
  return Number((readNumber(digits, false) * factor).toPrecision(15));
}

const DURATION = /^([-+]?)(\d+):([0-5]\d)(?::([0-5]\d))?$/;

/** Returns a duration in its first unit: 1:30 is 1.5, in hours or in minutes. */
function duration(text: string): number {
  const [, sign, first, second, third = "0"] = DURATION.exec(text) ?? [];
  if (first === undefined) return Number.NaN;
  const value = Number(first) + Number(second) / 60 + Number(third) / 3600;
  return sign === "-" ? -value : value;
}

const INDIAN = /^[-+]?\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/;
const indian = (text: string) =>
  readNumber(
    INDIAN.test(text) || /^[-+]?\d{1,3},\d{3}(?:\.\d+)?$/.test(text) ? text.replaceAll(",", "") : text,
    false,
  );

const readers: Partial<Record<ColumnFormatName, (text: string) => number>> = {
  magnitudes: magnitude,
  duration,
  "indian-grouping": indian,
};

/** Returns the reader of a named format of numbers; null for formats of times and texts. */
export function valueReader(name: ColumnFormatName): ((text: string) => number) | null {
  const named = marks[name];
  return named === undefined ? (readers[name] ?? null) : numberReader({ unit: null, ...named });
}

/** Marks by which a text shows a format that is neither plain nor grouped in threes. */
const SHOWN: [ColumnFormatName, RegExp][] = [
  ["magnitudes", /\d ?(?:k|m|mn|mio\.?|b|bn|mrd\.?)$/i],
  ["duration", DURATION],
  ["indian-grouping", INDIAN],
];

/** Proposes the named format that reads all texts, if some texts show it. */
export function proposeValueFormat(texts: readonly string[]): ColumnFormatName | null {
  const found = SHOWN.find(
    ([name, shown]) =>
      texts.some((text) => shown.test(text)) && texts.every((text) => !Number.isNaN(readers[name]!(text))),
  );
  return found?.[0] ?? null;
}
