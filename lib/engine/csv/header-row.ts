import { type Issue, shorten } from "./issues.ts";
import { looksNumeric } from "./numbers.ts";
import type { CsvOptions } from "./options.ts";

/** Number of first rows that show the header. */
const SAMPLE_ROWS = 100;
/** Part of the rows that must have as many cells as the header. */
const REGULAR = 0.6;

/**
 * Returns the index of the row that is probably the header, below a title, a source or blank lines; null if the first row
 * may be the header. The row is the first one with the cells of most rows below, has no empty cells and no numbers besides
 * years, and is above rows with some.
 */
export function probableHeader(rows: readonly (readonly string[])[]): number | null {
  const sample = rows.slice(0, SAMPLE_ROWS);
  const counts = new Map<number, number>();
  for (const { length } of sample) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [width] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0]);
  const isWide = (row: readonly string[]) => row.length === width;
  const at = sample.findIndex((row) => isWide(row) && row.every((cell) => cell.trim() !== ""));
  const first = sample.findIndex((row) => row.some((cell) => cell.trim() !== ""));
  if (at <= first) return null;
  const below = sample.slice(at);
  const count = below.filter(isWide).length;
  if (count < 3 || count < below.length * REGULAR || hasNumber(below[0]!, true)) return null;
  // A first row with several names is a header, although one of them is missing.
  const above = sample[first]!;
  const isTitle = !isWide(above) || above.filter((cell) => cell.trim() !== "").length === 1;
  return isTitle && below.slice(1).some((row) => hasNumber(row)) ? at : null;
}

const YEAR = /^(?:1[89]|2[01])\d\d$/;

/** @param isHeader whether years are no numbers: they may be the names of columns */
function hasNumber(row: readonly string[], isHeader = false): boolean {
  const cells = row.map((cell) => cell.trim()).filter((cell) => !(isHeader && YEAR.test(cell)));
  return cells.length === 0 || cells.some((cell) => looksNumeric(cell, false) || looksNumeric(cell, true));
}

/** Returns the issue that names the line of the header. */
export function headerBelow(at: number, rows: readonly (readonly string[])[]): Issue {
  const names = shorten(rows[at]!.join(", "));
  const line = at + 1;
  const above = rows.find((row) => row.some((cell) => cell.trim() !== ""))!;
  const filled = above.length === rows[at]!.length ? 1 : above.length;
  const choices = [
    {
      label: `Line ${line} is the header`,
      options: { headerRow: line },
      cells: [{ row: null, text: `line ${line}`, reading: names }],
    },
  ];
  const message = `The header is probably line ${line} ("${names}"), because most lines have ${rows[at]!.length} values, and the first has ${filled}. To use it, send ${JSON.stringify({ headerRow: line })} with the file, or delete the lines above.`;
  return { row: null, column: null, value: null, code: "header_below", message, choices };
}

/** Returns how the line of the header is found: as asked, or in further files of a dataset where expected columns are. */
export function headerRowOf({ headerRow = 1, columns }: CsvOptions) {
  if (headerRow === 1) return null;
  const expected = columns && new Set(columns.map(({ name }) => name));
  const has = (line = "") =>
    line.split(/[,;\t|]/).some((cell) => expected?.has(cell.trim().replace(/^"(.*)"$/, "$1")) === true);
  const find = (lines: readonly string[]) =>
    expected === undefined || (has(lines[headerRow - 1]) && !has(lines[0])) ? headerRow : 1;
  return { most: headerRow + 1, find };
}
