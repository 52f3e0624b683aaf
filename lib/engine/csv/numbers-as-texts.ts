import type { Table } from "#lib/contract/table";
import { type CsvWarning, shorten } from "./issues.ts";
import type { CsvOptions } from "./options.ts";
import { unitOf } from "./units.ts";

/** Warns about columns read as categories although most texts are numbers with units, as with several units. */
export function numbersAsTexts(
  { columns }: Table,
  { categories = [], columns: expected = [] }: CsvOptions,
): CsvWarning[] {
  const declared = new Set([...categories, ...expected.map(({ name }) => name)]);
  return columns.flatMap((column) => {
    if (column.type !== "category" || declared.has(column.name)) return [];
    const found = column.categories.filter((text) => unitOf(text) !== null);
    if (found.length * 2 <= column.categories.length) return [];
    const shown = found.slice(0, 2).map((text) => `"${shorten(text)}"`);
    const message = `Column "${shorten(column.name)}" is read as text, but most of its values look like numbers, such as ${shown.join(" and ")}. A number format reads one unit per column.`;
    return [{ code: "numbers_as_texts" as const, column: column.name, message }];
  });
}
