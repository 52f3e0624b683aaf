import type { NumberFormatRule } from "#lib/contract/datasets";
import { readNumber } from "./numbers.ts";
import { commonUnit, isCurrencySign } from "./units.ts";

/**
 * How the numbers of a column are written. A cell may also be a plain number with the same decimal mark, so that a
 * column without units in some rows can be read.
 */
export type NumberFormat = NumberFormatRule;

type Written = Omit<NumberFormat, "column">;

const SPACES = "[ \\u00a0\\u2009\\u202f]";
const groupPatterns = { ".": "\\.", ",": ",", " ": SPACES, "'": "['\\u2019]" } as const;

/**
 * Returns a reader of numbers in this format. The sign comes first or directly before the digits; parentheses mean a
 * negative number. Returns NaN for other texts, also for digits that are not in groups of three.
 */
export function numberReader({ unit, decimalMark, groupMark }: Written): (text: string) => number {
  const mark = decimalMark === "," ? "," : "\\.";
  const group = groupMark === null ? null : groupPatterns[groupMark];
  const whole = group === null ? "\\d+" : `(?:\\d{1,3}(?:${group}\\d{3})+|\\d+)`;
  const sign = "([-+\\u2212]?)";
  const unitText = unit === null ? "(?!)" : unit.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const pattern = new RegExp(
    `^(\\(?)${sign}${SPACES}*(${unitText})?${SPACES}*${sign}(${whole}(?:${mark}\\d*)?|${mark}\\d+)${SPACES}*(${unitText})?(\\)?)$`,
  );
  const groups = group === null ? null : new RegExp(group, "g");
  const isComma = decimalMark === ",";
  return (text) => {
    const plain = readNumber(text, isComma);
    if (!Number.isNaN(plain)) return plain;
    const match = pattern.exec(text);
    if (match === null) return Number.NaN;
    const [, open, first, before, second, digits, after, close] = match;
    const isOneSided = (open === "") === (close === "") && !(before && after) && !(first && second);
    if (!isOneSided || (open !== "" && first + second! !== "")) return Number.NaN;
    const value = readNumber(groups === null ? digits! : digits!.replaceAll(groups, ""), isComma);
    const isNegative = open !== "" || /[-\u2212]/.test(first + second!);
    return isNegative ? -value : value;
  };
}

/** Describes a format for a sentence: `unit "€", decimal mark "," and digit grouping "."`. */
export function formatText({ unit, decimalMark, groupMark }: Written): string {
  const parts = [
    unit === null ? "no unit" : `unit "${unit}"`,
    `decimal mark "${decimalMark}"`,
    groupMark === null ? "no digit grouping" : `digit grouping "${groupMark}"`,
  ];
  return `${parts[0]}, ${parts[1]} and ${parts[2]}`;
}

/** Returns a format as requests carry it: an absent field instead of null. */
export const formatRequest = ({ unit, groupMark, ...format }: NumberFormat) => ({
  ...format,
  ...(unit !== null && { unit }),
  ...(groupMark !== null && { groupMark }),
});

const withMarks = (decimalMark: "." | ",", groupMark: Written["groupMark"]): Written => ({
  unit: null,
  decimalMark,
  groupMark,
});
const formatsOf = (decimalMark: "." | ",", otherMark: "." | ",") =>
  [null, otherMark, " ", "'"].map((groupMark) => withMarks(decimalMark, groupMark as Written["groupMark"]));
const pointFormats = formatsOf(".", ",");
const commaFormats = formatsOf(",", ".");

/**
 * Proposes the format that reads most of the texts. Returns null if none reads more than half of them and more than are
 * plain numbers. Of equal formats, prefers the file's decimal mark, then no grouping. `1.234 €` can be either: with a
 * currency sign, a point before three digits more often groups them.
 *
 * @param decimalComma whether other numbers of the file use a decimal comma
 */
export function proposeNumberFormat(texts: readonly string[], decimalComma = false): Written | null {
  const unit = commonUnit(texts)?.unit ?? null;
  const hasPointGroups =
    unit !== null && isCurrencySign(unit) && texts.some((text) => /\.\d{3}\D*$/.test(text));
  const order =
    decimalComma || hasPointGroups ? [...commaFormats, ...pointFormats] : [...pointFormats, ...commaFormats];
  const readable = (read: (text: string) => number) =>
    texts.reduce((count, text) => (Number.isNaN(read(text)) ? count : count + 1), 0);
  let best: Written | null = null;
  let most = Math.max(
    texts.length / 2,
    readable((text) => readNumber(text, decimalComma)),
  );
  for (const marks of order) {
    const format = { ...marks, unit };
    const count = readable(numberReader(format));
    if (count > most) [best, most] = [format, count];
  }
  if (best === null || best.groupMark === null) return best;
  const ungrouped = { ...best, groupMark: null };
  return readable(numberReader(ungrouped)) === most ? ungrouped : best;
}
