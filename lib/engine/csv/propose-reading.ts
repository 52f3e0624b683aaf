import type { NumberFormat } from "./number-format.ts";
import type { CsvColumn, CsvOptions } from "./options.ts";

/** Returns the number formats and texts for missing values that the columns suggest and the options do not contain yet. */
export function proposeReading(
  columns: readonly CsvColumn[],
  { numberFormats = [], missing = [] }: Pick<CsvOptions, "numberFormats" | "missing"> = {},
): { numberFormats: NumberFormat[]; missing: string[] } {
  const known = new Set(numberFormats.map(({ column }) => column));
  const formats = columns.flatMap(({ name, numberFormat }) =>
    numberFormat === undefined || known.has(name) ? [] : [{ column: name, ...numberFormat }],
  );
  const texts = columns.flatMap(({ type, missingTexts = [] }) => (type === "number" ? missingTexts : []));
  return { numberFormats: formats, missing: [...new Set(texts)].filter((text) => !missing.includes(text)) };
}
