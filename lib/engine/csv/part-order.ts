import { isBlank } from "./dialect.ts";
import { type IssueList, shorten } from "./issues.ts";
import type { CsvOptions } from "./options.ts";
import { day, hour, month, type Part, quarter, week, year } from "./propose-parts.ts";
import { formatsThatRead } from "./time-formats.ts";
import { timeText } from "./timestamps.ts";

const dayOfYear: Part = { ...day, to: 366 };
const date: Part = {
  name: /date|datum|fecha|^data$|^tag$|^day$/i,
  from: Number.POSITIVE_INFINITY,
  to: Number.NEGATIVE_INFINITY,
  isText: (text) => !/^\d{1,4}$/.test(text) && formatsThatRead(text).length > 0,
};

/** Part of the rows that may hold no times. */
const ODD_SHARE = 0.1;

/** The orders in which parts are read as a time. */
const SEQUENCES: readonly Part[][] = [
  [date, hour],
  [year, quarter],
  [year, month],
  [year, week],
  [year, dayOfYear],
  [year, month, day],
  [year, month, day, hour],
];

const isPart = ({ from, to, isText }: Part, text: string) =>
  isText?.(text) === true || (/^\d{1,4}$/.test(text) && Number(text) >= from && Number(text) <= to);

/**
 * Returns the options of a new file with the columns of its times from the year down, or with the date before the hour. The
 * request may name them in any order: their names decide, then their values. Adds an issue if several orders fit, such as
 * for days and months up to 12 in columns `a` and `b`.
 *
 * @param rows first rows of the file
 */
export function orderParts(
  options: CsvOptions,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  issues: IssueList,
): CsvOptions {
  const { timestamp, missing = [] } = options;
  if (options.columns !== undefined || timestamp == null || typeof timestamp === "string") return options;
  if (timestamp.length < 2 || timestamp.some((name) => !header.includes(name))) return options;
  const skipped = new Set(options.skipRows);
  const read = rows.filter((row) => !isBlank(row)).filter((_, at) => !skipped.has(at + 1));
  const cellsOf = (name: string) => read.map((row) => (row[header.indexOf(name)] ?? "").trim());
  const cells = new Map(timestamp.map((name) => [name, cellsOf(name)]));
  const misfits = (name: string, part: Part) =>
    cells.get(name)!.filter((text) => text !== "" && !missing.includes(text) && !isPart(part, text)).length;
  const fits = (order: readonly string[], { share = 0, areNamed = false }) =>
    SEQUENCES.some(
      (parts) =>
        parts.length === order.length &&
        parts.every((part, at) => !areNamed || part.name.test(order[at]!)) &&
        parts.every((part, at) => misfits(order[at]!, part) <= share * read.length),
    );
  const all = permutations(timestamp);
  // Totals and notes are no parts.
  for (const share of [0, ODD_SHARE]) {
    const named = all.filter((order) => fits(order, { share, areNamed: true }));
    if (named.length === 1) return { ...options, timestamp: named[0]! };
    if (fits(timestamp, { share })) return options;
    const fitting = all.filter((order) => fits(order, { share }));
    if (fitting.length > 1) addIssue(fitting, cells, issues);
    if (fitting.length > 0) return { ...options, timestamp: fitting[0]! };
  }
  return options;
}

function addIssue(
  orders: readonly (readonly string[])[],
  cells: ReadonlyMap<string, readonly string[]>,
  issues: IssueList,
): void {
  const [given] = cells.keys();
  const readingOf = (order: readonly string[], row: number) => {
    const text = order.map((name) => cells.get(name)![row]).join(" ");
    return timeText(formatsThatRead(text, true)[0]?.read(text) ?? Number.NaN);
  };
  const rows = [...cells.get(given!)!.keys()];
  const row = rows.find((at) => new Set(orders.map((order) => readingOf(order, at))).size > 1) ?? 0;
  const value = [...cells.values()].map((column) => column[row]).join(" ");
  const readings = [...new Set(orders.map((order) => readingOf(order, row)))];
  const columns = [...cells.keys()].map((name) => `"${shorten(name)}"`).join(", ");
  issues.add({
    row: row + 1,
    column: given!,
    value,
    code: "ambiguous_date",
    message: `Columns ${columns}: "${shorten(value)}" (row ${row + 1}) may be ${readings.join(" or ")}. Name the columns in timestamp from the year down: year, month, day, hour.`,
    choices: orders.map((order) => ({
      label: `Times of ${order.join(", ")}`,
      options: { timestamp: [...order] },
      cells: [{ row: row + 1, text: shorten(value), reading: readingOf(order, row) }],
    })),
  });
}

function permutations(names: readonly string[]): string[][] {
  if (names.length < 2) return [[...names]];
  return names.flatMap((first) =>
    permutations(names.filter((name) => name !== first)).map((rest) => [first, ...rest]),
  );
}
