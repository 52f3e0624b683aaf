import { limits } from "#lib/contract/limits";
import { concat } from "#lib/engine/csv/decode";
import type { CsvOptions, TableChunk } from "#lib/engine/csv/options";
import { isArchive, readWorkbook } from "./read-workbook.ts";
import { WorkbookError } from "./workbook-error.ts";

const HEAD_BYTES = 4;

/**
 * Passes the bytes of a CSV file on. Of an Excel workbook, yields the rows of a sheet instead, or the reason why it cannot be
 * read. A workbook is held in memory and takes seconds, so read it in a thread.
 */
export async function* tableChunks(
  file: AsyncIterable<Uint8Array>,
  { sheet, columns }: CsvOptions,
): AsyncGenerator<TableChunk> {
  let head: Uint8Array | null = new Uint8Array(0);
  let workbook: Uint8Array[] | null = null;
  let bytes = 0;
  for await (const chunk of file) {
    if (head === null && workbook === null) {
      yield chunk;
      continue;
    }
    bytes += chunk.length;
    if (workbook !== null) workbook.push(chunk.slice());
    else {
      head = head!.length === 0 ? chunk : concat(head!, chunk);
      if (head.length < HEAD_BYTES) {
        head = head.slice();
        continue;
      }
      if (isArchive(head)) workbook = [head.slice()];
      else yield head;
      head = null;
    }
    if (workbook !== null && bytes > limits.workbookBytes) {
      const most = limits.workbookBytes / 1_048_576;
      const message = `A workbook may have ${most} MiB at most. Save the sheet as CSV.`;
      yield new WorkbookError("workbook_too_large", message).failure;
      return;
    }
  }
  if (head !== null && head.length > 0) yield head;
  if (workbook !== null)
    yield* sheetChunks(await new Blob(workbook as BlobPart[]).bytes(), sheet, columns !== undefined);
}

/** @param isFurther whether the file belongs to a dataset, whose sheet may have another name */
function* sheetChunks(
  bytes: Uint8Array,
  sheet: string | undefined,
  isFurther: boolean,
): Generator<TableChunk> {
  try {
    yield* readWorkbook(bytes, sheet ?? null);
  } catch (error) {
    if (!(error instanceof WorkbookError)) throw error;
    if (error.code === "unknown_sheet" && isFurther) yield* sheetChunks(bytes, undefined, false);
    else yield error.failure;
  }
}
