import { type Issue, shorten } from "./issues.ts";
import { looksNumeric } from "./numbers.ts";
import type { CsvOptions } from "./options.ts";

/** Number of first rows that show the header. */
const SAMPLE_ROWS = 100;
/** Part of the rows that must have as many cells as the header. */
const REGULAR = 0.6;

/**
 * Returns the index of the row that is probably the header, below a title, a source or blank lines; null if the first row
 * may be the header. The row is the first one with the cells of most rows, has no numbers, and is above rows with some.
 */
export function probableHeader(rows: readonly (readonly string[])[]): number | null {
  const sample = rows.slice(0, SAMPLE_ROWS);
  const counts = new Map<number, number>();
  for (const { length } of sample) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [width, count] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0]);
  const first = sample.findIndex((row) => row.length > 1 || row[0]!.trim() !== "");
  const isFirst = first === -1 || sample[first]!.length === width;
  if (width < 2 || isFirst || count < sample.length * REGULAR || count < 3) return null;
  const at = sample.findIndex((row) => row.length === width);
  const hasNumber = (row: readonly string[]) =>
    row.some((cell) => looksNumeric(cell.trim(), false) || looksNumeric(cell.trim(), true));
  const header = sample[at]!;
  const isHeader = header.every((cell) => cell.trim() !== "") && !hasNumber(header);
  return isHeader && sample.slice(at + 1).some(hasNumber) ? at : null;
}

/** Returns the issue that names the line of the header. */
export function headerBelow(at: number, rows: readonly (readonly string[])[]): Issue {
  const names = shorten(rows[at]!.join(", "));
  const line = at + 1;
  const choices = [
    {
      label: `Line ${line} is the header`,
      options: { headerRow: line },
      cells: [{ row: null, text: `line ${line}`, reading: names }],
    },
  ];
  const message = `The header is probably line ${line} ("${names}"), because most lines have ${rows[at]!.length} values, and the first has ${rows.find((row) => row.length !== rows[at]!.length)!.length}. To use it, send ${JSON.stringify({ headerRow: line })} with the file, or delete the lines above.`;
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
