import type { ColumnFormatName } from "#lib/contract/reading";
import type { NumberFormat } from "./number-format.ts";
import type { CsvColumn, CsvOptions } from "./options.ts";

/** Returns the number formats and texts for missing values that the columns suggest and the options do not contain yet. */
export function proposeReading(
  columns: readonly CsvColumn[],
  {
    numberFormats = [],
    missing = [],
    columnFormats = {},
  }: Pick<CsvOptions, "numberFormats" | "missing" | "columnFormats"> = {},
): { numberFormats: NumberFormat[]; missing: string[]; columnFormats: Record<string, ColumnFormatName> } {
  const known = new Set(numberFormats.map(({ column }) => column));
  const formats = columns.flatMap(({ name, numberFormat }) =>
    numberFormat === undefined || known.has(name) ? [] : [{ column: name, ...numberFormat }],
  );
  const texts = columns.flatMap(({ type, missingTexts = [] }) => (type === "number" ? missingTexts : []));
  const named = columns.flatMap(({ name, columnFormat }): [string, ColumnFormatName][] =>
    columnFormat === undefined || Object.hasOwn(columnFormats, name) ? [] : [[name, columnFormat]],
  );
  return {
    numberFormats: formats,
    columnFormats: Object.fromEntries(named),
    missing: [...new Set(texts)].filter((text) => !missing.includes(text)),
  };
}
