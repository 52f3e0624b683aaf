import { counted } from "#lib/contract/counted";
import { formatRequest } from "#lib/engine/csv/number-format";
import type { CsvColumn } from "#lib/engine/csv/options";
import { proposeReading } from "#lib/engine/csv/propose-reading";

const SHOWN_FORMATS = 10;

/** Returns the advice to send the reading options that a file's columns propose, as JSON; empty without proposals. */
export function readingHint(columns: readonly CsvColumn[]): string {
  const { numberFormats: formats, missing } = proposeReading(columns);
  if (formats.length + missing.length === 0) return "";
  const options = {
    ...(formats.length > 0 && { numberFormats: formats.slice(0, SHOWN_FORMATS).map(formatRequest) }),
    ...(missing.length > 0 && { missing }),
  };
  const more = formats.length - SHOWN_FORMATS;
  const others =
    more > 0 ? ` ${counted(more, "other column needs", "other columns need")} a format too.` : "";
  return `To read such values, send ${JSON.stringify(options)} with the file.${others}`;
}
