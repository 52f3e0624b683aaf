import { CsvReader } from "#lib/csv/csv-stream";
import type { CsvOptions, CsvResult } from "#lib/csv/options";

/** Reads a file with the service's own CSV module, piece by piece, so that the page stays usable meanwhile. */
export async function readCsvFile(
  file: Blob,
  options: CsvOptions,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<CsvResult> {
  const csv = new CsvReader(options);
  const reader = file.stream().getReader();
  let bytes = 0;
  for (;;) {
    signal.throwIfAborted();
    const { done, value } = await reader.read();
    if (done || csv.failed) break;
    csv.push(value);
    bytes += value.length;
    onProgress(bytes / file.size);
    // A task of its own for each piece lets the browser paint in between.
    await new Promise((resolve) => setTimeout(resolve));
  }
  return csv.finish();
}
