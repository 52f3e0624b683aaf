import type { Choice } from "#lib/contract/reading";
import type { ColumnExpectation } from "./cell-reader.ts";
import type { Candidate } from "./column-times.ts";
import { shorten } from "./issues.ts";
import { acceptedForms, type TimeFormat, type TimeUnit } from "./time-formats.ts";
import { timeText } from "./timestamps.ts";

/** A cell that shows what each way of reading makes of it. */
export type ShownCell = { row: number; text: string };

/** Number of cells that are shown. */
export const SHOWN_CELLS = 3;

/** Describes a column of times that can be read in several ways, at the first row in which they differ. */
export function ambiguousTimes(
  rivals: readonly Candidate[],
  shown: readonly ShownCell[],
  { name, isTime }: ColumnExpectation,
) {
  const [one, other = one] = rivals.map(({ values }) => values.view());
  const isAlone = rivals.length === 1;
  const differing = one!.findIndex((ms, row) => !Number.isNaN(ms) && (isAlone || ms !== other![row]));
  const at = shown.find(({ row }) => row === differing + 1);
  const cells = [...(at ? [at] : []), ...shown.filter((cell) => cell !== at)].slice(0, SHOWN_CELLS);
  const choices = rivals.map(({ format, values }): Choice => {
    const kept = values.view();
    const order = isTime === true ? format.order : undefined;
    const named =
      isTime === true ? { timestampFormat: format.name } : { columnFormats: { [name]: format.name } };
    return {
      label: `${wordsOf(format)}, such as ${format.example.split(" or ")[0]}`,
      options: order === undefined ? named : { dateOrder: order },
      cells: cells.map(({ row, text }) => ({ row, text: shorten(text), reading: timeText(kept[row - 1]!) })),
    };
  });
  if (isTime === true && isIndex(cells.map(({ text }) => text))) choices.push(inOrder(cells));
  const readings = rivals.map(({ values }) => timeText(values.view()[differing]!));
  const isOrder = rivals.every(({ format }) => format.order !== undefined);
  const option = isOrder ? "dateOrder" : isTime === true ? "timestampFormat" : "columnFormats";
  const written = readings.join(" or ");
  const text = at?.text ?? written;
  const ways = isAlone
    ? `${written} or ${/\p{L}/u.test(text) ? "a day without its year" : "a plain number"}`
    : written;
  return {
    row: differing + 1,
    text,
    choices,
    reason: `is ambiguous: ${ways}. Write ${written}, or set the dataset's ${option}`,
    message: `Column "${shorten(name)}" is ambiguous: "${shorten(text)}" may be ${ways}. The first is used. To choose, set the dataset's ${option}.`,
  };
}

/** Periods of a format, in words of the page. */
const PERIODS: Record<TimeUnit, string> = {
  year: "Years",
  quarter: "Quarters",
  month: "Months",
  week: "Weeks",
  day: "Days",
  time: "Months or times",
};

function wordsOf({ name, order, unit }: TimeFormat): string {
  if (name === "YYMMDD" || name === "YY-MM-DD") return "Year first";
  if (name === "DDMMYY" || name === "DDMMYYYY") return "Day first";
  if (name === "MMDDYY" || name === "MMDDYYYY") return "Month first";
  if (order !== undefined) return order === "day-first" ? "Day first" : "Month first";
  return name === "spreadsheet-days" ? "Days of a spreadsheet" : PERIODS[unit];
}

/** Describes numbers that are no times: an index, which the order of the rows replaces, or anything else. */
export function numbersAsTimes(
  values: Float64Array,
  shown: readonly ShownCell[],
): { reason: string; choices?: Choice[] } {
  const known = values.filter((value) => !Number.isNaN(value));
  const isIndex = known.length > 1 && known.every((value, at) => at === 0 || value === known[at - 1]! + 1);
  if (!isIndex) return { reason: `is a number, but no date or time. Accepted forms: ${acceptedForms}` };
  return {
    reason: `begins an index from ${known[0]} to ${known.at(-1)}, which is no time. Leave out timestamp: the rows then keep the order of the file`,
    choices: [inOrder(shown)],
  };
}

/** Returns whether cells are numbers of up to four digits, such as 2301, 2302 and 2303. */
const isIndex = (texts: readonly string[]) =>
  texts.length > 1 &&
  texts.every((text, at) => /^\d{1,4}$/.test(text) && Number(text) === Number(texts[0]) + at);

const inOrder = (shown: readonly ShownCell[]): Choice => ({
  label: "Rows in the order of the file",
  options: { timestamp: null },
  cells: shown.map(({ row, text }) => ({ row, text, reading: `position ${text}` })),
});
