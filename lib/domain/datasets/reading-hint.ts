import { counted } from "#lib/contract/counted";
import { formatRequest } from "#lib/engine/csv/number-format";
import type { CsvColumn } from "#lib/engine/csv/options";

const SHOWN_FORMATS = 10;

/** Returns the advice to send the reading options that a file's columns propose, as JSON; empty without proposals. */
export function readingHint(columns: readonly CsvColumn[]): string {
  const formats = columns.flatMap(({ name, numberFormat }) =>
    numberFormat === undefined ? [] : [formatRequest({ column: name, ...numberFormat })],
  );
  const texts = columns.flatMap(({ type, missingTexts = [] }) => (type === "number" ? missingTexts : []));
  if (formats.length + texts.length === 0) return "";
  const options = {
    ...(formats.length > 0 && { numberFormats: formats.slice(0, SHOWN_FORMATS) }),
    ...(texts.length > 0 && { missing: [...new Set(texts)] }),
  };
  const more = formats.length - SHOWN_FORMATS;
  const others =
    more > 0 ? ` ${counted(more, "other column needs", "other columns need")} a format too.` : "";
  return `To read such values, send ${JSON.stringify(options)} with the file.${others}`;
}
