import type { Choice } from "#lib/contract/reading";
import type { CategoryColumn, NumericColumn, Table } from "#lib/contract/table";
import { type CsvWarning, shorten } from "./issues.ts";

/** Words of rows with sums or means, in English, German, French, Spanish, Italian, Portuguese and Dutch. */
export const SUMMARY =
  /^(?:(?:grand |sub|zwischen)?(?:total|sum|summe|gesamt|insgesamt|totale|totaux|somme|suma|somma|soma|totaal)|mean|average|avg|mittelwert|durchschnitt|moyenne|media|média|promedio|gemiddelde)(?:s|e|es)?\b/i;
/** Number of rows at the end that may be sums, means or notes. */
const LAST_ROWS = 3;
/** Labelled rows within the table that are compared with the rows above. */
const LABELLED_MAX = 1000;

export const skipping = (rows: readonly number[]): Choice[] => [
  {
    label: rows.length === 1 ? `Leave out row ${rows[0]}` : `Leave out rows ${rows.join(", ")}`,
    options: { skipRows: [...rows] },
    cells: [],
  },
];

/**
 * Finds rows that are no data: the last ones with the label of a sum or mean, with the sums or means of the rows above, or
 * with one text only; the first one with the sums or means of all others; and labelled ones between, with those of their block.
 */
export function summaryRows({ rowCount, columns }: Table, numbers: readonly NumericColumn[]): CsvWarning[] {
  const texts = columns.filter((column) => column.type === "category");
  const found = new Set<number>();
  const isUnique = (row: number) =>
    texts.some(({ codes }) => codes[row] !== -1 && countOf(codes, codes[row]!) === 1);
  let start = 0;
  for (const row of labelledRows(texts)) {
    if (!summarizes(numbers, row, [start, row])) continue;
    found.add(row);
    start = row + 1;
  }
  if (texts.length > 0 && summarizes(numbers, 0, [1, rowCount])) found.add(0);
  const last: number[] = [];
  for (let row = Math.max(1, rowCount - LAST_ROWS); row < rowCount; row++) {
    const isNamed = texts.some(({ categories, codes }) => SUMMARY.test(categories[codes[row]!] ?? ""));
    if (
      isNamed ||
      isNote(columns, numbers, row) ||
      summarizes(numbers, row, [0, last[0] ?? row], () => isUnique(row))
    )
      last.push(row);
  }
  // A category in the middle of the file may have such a name as well.
  if (last.at(-1) === rowCount - 1) for (const row of last) found.add(row);
  return [...found]
    .sort((a, b) => a - b)
    .map((row): CsvWarning => {
      const label = texts
        .map(({ categories, codes }) => categories[codes[row]!])
        .find((text) => text !== undefined);
      const shown = label === undefined ? "" : ` ("${shorten(label)}")`;
      const looks = isNote(columns, numbers, row)
        ? "looks like a note below the table"
        : `looks like a sum or mean of the rows ${row === 0 ? "below" : "above"}`;
      const message = `Row ${row + 1}${shown} ${looks}, not like data. To leave it out, add it to \`skipRows\`.`;
      return { code: "summary_row", column: null, message, firstRow: row + 1, choices: skipping([row + 1]) };
    });
}

const countOf = (codes: Int32Array, code: number) =>
  codes.reduce((count, one) => count + (one === code ? 1 : 0), 0);

/** Returns the rows with the label of a sum or mean, in ascending order. */
function labelledRows(texts: readonly CategoryColumn[]): number[] {
  const rows = new Set<number>();
  for (const { categories, codes } of texts) {
    const labels = new Set(categories.flatMap((text, code) => (SUMMARY.test(text) ? code : [])));
    if (labels.size > 0) codes.forEach((code, row) => void (labels.has(code) && rows.add(row)));
  }
  return [...rows].sort((a, b) => a - b).slice(0, LABELLED_MAX);
}

/** Returns whether a row has no numbers, and only one text, which no other row has. */
function isNote(columns: Table["columns"], numbers: readonly NumericColumn[], row: number): boolean {
  const cells = columns.filter((column) =>
    column.type === "category" ? column.codes[row] !== -1 : !Number.isNaN(column.values[row]),
  );
  const [only] = cells;
  return (
    numbers.length > 1 &&
    cells.length === 1 &&
    only?.type === "category" &&
    countOf(only.codes, only.codes[row]!) === 1
  );
}

/**
 * Returns whether the numbers of a row are the sums or the means of other rows.
 *
 * @param isRounded whether means may be rounded to the decimals of the row
 */
function summarizes(
  numbers: readonly NumericColumn[],
  row: number,
  [start, end]: [number, number],
  isRounded: () => boolean = () => false,
): boolean {
  const compared = numbers.filter(({ values }) => !Number.isNaN(values[row]) && values[row] !== 0);
  if (end - start < 3 || compared.length === 0 || (compared.length === 1 && end - start < 5)) return false;
  // Most rows differ in their first column, so that the others are not read.
  let [areSums, areMeans] = [true, true];
  for (const { values } of compared) {
    const value = values[row]!;
    const { sum, count, range } = statisticsOf(values.subarray(start, end));
    // Equal values are their own mean.
    if (count < 3 || !(range > 0) || !Number.isFinite(sum)) return false;
    const isNear = (expected: number, tolerance = 0) =>
      // Close values are not equal.
      Math.abs(value - expected) <= Math.max(tolerance, Math.min(1e-9 * Math.abs(expected), 1e-6 * range));
    areSums &&= isNear(sum);
    areMeans &&= isNear(sum / count, compared.length > 1 && isRounded() ? roundingOf(value) : 0);
    if (!areSums && !areMeans) return false;
  }
  return true;
}

function statisticsOf(values: Float64Array): { sum: number; count: number; range: number } {
  let sum = 0;
  let count = 0;
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (Number.isNaN(value)) continue;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
    sum += value;
    count++;
  }
  return { sum, count, range: greatest - least };
}

/** Returns half of the last decimal of a number; 0 for whole numbers, which are near a mean too often. */
function roundingOf(value: number): number {
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
  return decimals === 0 ? 0 : 0.5000001 * 10 ** -decimals;
}
