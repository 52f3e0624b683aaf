import { counted } from "#lib/contract/counted";
import { formatRequest } from "#lib/engine/csv/number-format";
import type { CsvColumn } from "#lib/engine/csv/options";
import { proposeReading } from "#lib/engine/csv/propose-reading";
import type { DatasetSettings } from "./settings.ts";

const SHOWN_FORMATS = 10;

/**
 * Returns the advice to send the reading options that a file's columns propose, as JSON; empty without proposals. The
 * options include those that were sent with the file.
 */
export function readingHint(
  columns: readonly CsvColumn[],
  sent: Pick<DatasetSettings, "numberFormats" | "missing"> & Partial<Pick<DatasetSettings, "reading">>,
): string {
  const former = sent.reading?.columnFormats ?? {};
  const proposed = proposeReading(columns, { ...sent, columnFormats: former });
  const named = Object.keys(proposed.columnFormats).length;
  if (proposed.numberFormats.length + proposed.missing.length + named === 0) return "";
  const formats = [...sent.numberFormats, ...proposed.numberFormats];
  const missing = [...sent.missing, ...proposed.missing];
  const shown = sent.numberFormats.length + SHOWN_FORMATS;
  const options = {
    ...(formats.length > 0 && { numberFormats: formats.slice(0, shown).map(formatRequest) }),
    ...(missing.length > 0 && { missing }),
    ...(named > 0 && { columnFormats: { ...former, ...proposed.columnFormats } }),
  };
  const more = formats.length - shown;
  const others =
    more > 0 ? ` ${counted(more, "other column needs", "other columns need")} a format too.` : "";
  return `To read units and missing values, send ${JSON.stringify(options)} with the file.${others}`;
}
