import type { Choice, ColumnFormatName } from "#lib/contract/reading";
import type { CategoryColumn, Table } from "#lib/contract/table";
import { type CsvWarning, shorten } from "./issues.ts";
import type { CsvOptions } from "./options.ts";
import { unitOf } from "./units.ts";
import { proposeValueFormat, valueReader } from "./value-formats.ts";

/** Warns about columns read as categories although most texts are numbers with units, as with several units. */
export function numbersAsTexts(
  { columns }: Table,
  { categories = [], columns: expected = [], target }: CsvOptions,
): CsvWarning[] {
  const declared = new Set([...categories, ...expected.map(({ name }) => name)]);
  return columns.flatMap((column) => {
    if (column.type !== "category" || declared.has(column.name)) return [];
    const columnFormat = formatOf(column);
    // Each text of the target is an issue already.
    if (columnFormat !== null && column.name === target) return [];
    const found =
      columnFormat === null ? column.categories.filter((text) => unitOf(text) !== null) : column.categories;
    if (found.length * 2 <= column.categories.length) return [];
    const shown = found.slice(0, 2).map((text) => `"${shorten(text)}"`);
    const advice =
      columnFormat === null
        ? "A number format reads one unit per column."
        : `The format ${columnFormat} of \`columnFormats\` reads them.`;
    const message = `Column "${shorten(column.name)}" is read as text, but most of its values look like numbers, such as ${shown.join(" and ")}. ${advice}`;
    const choices = columnFormat && [formatChoice(column, columnFormat)];
    return [{ code: "numbers_as_texts" as const, column: column.name, message, ...(choices && { choices }) }];
  });
}

/** Identifiers have more texts. */
const TEXTS_MAX = 10_000;

/** Returns the named format that reads all texts. A time of day is no duration. */
function formatOf({ categories }: CategoryColumn): ColumnFormatName | null {
  const format = categories.length > TEXTS_MAX ? null : proposeValueFormat(categories);
  return format === "duration" ? null : format;
}

/** Returns the choice of a named format of numbers, with the first cells. */
export function formatChoice({ name, codes, categories }: CategoryColumn, format: ColumnFormatName): Choice {
  const read = valueReader(format)!;
  const cells = [...codes.slice(0, 3)].flatMap((code, row) => {
    const text = categories[code];
    return text === undefined ? [] : [{ row: row + 1, text: shorten(text), reading: String(read(text)) }];
  });
  return { label: `Read as ${format}`, options: { columnFormats: { [name]: format } }, cells };
}
