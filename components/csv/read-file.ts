import { CsvReader } from "#lib/engine/csv/csv-reader";
import { shorten } from "#lib/engine/csv/issues";
import { isParquet } from "#lib/engine/csv/magic";
import { bytesOf, type CsvOptions, type CsvResult, type TableChunk } from "#lib/engine/csv/options";
import { tableChunks } from "#lib/engine/workbooks/table-chunks";
import { unreadable } from "./file-reason.ts";

export const shownLines = 8;

/** Reads a file with the service's modules, as far as the browser's memory allows. */
export async function readFile(
  file: Blob,
  options: CsvOptions,
  {
    onProgress,
    valuesMax,
    mayBeLonger,
  }: { onProgress: (fraction: number) => void; valuesMax: number; mayBeLonger: boolean },
): Promise<{ result: CsvResult; isWhole: boolean; sheetLines: string[] | null }> {
  const csv = new CsvReader(options);
  let bytes = 0;
  let sheetLines: string[] | null = null;
  let isPacked = false;
  async function* chunks() {
    const stream = file.stream().getReader();
    try {
      for (;;) {
        const { done, value } = await stream.read().catch(() => {
          throw new Error(unreadable);
        });
        if (done) return;
        if (bytes === 0) isPacked = isParquet(value);
        bytes += value.length;
        yield value;
      }
    } finally {
      // An unreadable file reports its error above.
      await stream.cancel().catch(() => undefined);
    }
  }
  for await (const chunk of tableChunks(chunks(), options)) {
    if (typeof chunk === "object" && "rows" in chunk)
      sheetLines ??= chunk.rows.slice(0, shownLines).map((row) => shorten(row.join(", ")));
    else if (isPacked && (sheetLines ?? []).length < shownLines)
      sheetLines = [...(sheetLines ?? []), ...linesOf(chunk)].slice(0, shownLines);
    csv.push(chunk);
    onProgress(bytes / file.size);
    if (csv.failed) break;
    if (csv.cellsHeld <= valuesMax) continue;
    if (!mayBeLonger) {
      const most = valuesMax.toLocaleString("en");
      throw new Error(`The file has more than ${most} values. Remove columns or rows.`);
    }
    if (bytes < file.size) return { result: csv.finish({ isCutOff: true }), isWhole: false, sheetLines };
  }
  return { result: csv.finish(), isWhole: true, sheetLines };
}

/** Returns the first lines of a table that is no text. */
function linesOf(chunk: TableChunk): string[] {
  const bytes = bytesOf(chunk);
  if (bytes === null) return [];
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\n", shownLines);
  return lines.map((line) => shorten(line));
}
