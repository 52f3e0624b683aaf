import { TextChunkDecoder } from "#lib/engine/csv/decode";
import { type Encoding, SAMPLE_BYTES } from "#lib/engine/csv/encodings";
import { renameHeader } from "./rename-header.ts";

/** Maximum length of a header; the reader rejects longer rows. */
const headBytes = 4 * 1024 * 1024;

/**
 * Returns the file with other column names. Rewrites only the header and does not read the rest.
 *
 * @param names name in the file → new name
 * @param known encoding of the dataset that the file belongs to; null if the bytes decide
 * @throws {Error} if the header cannot be read
 */
export async function renameColumns(
  file: File,
  names: Readonly<Record<string, string>>,
  known: Encoding | null,
): Promise<File> {
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const decoder = new TextChunkDecoder(known, true);
  decoder.push(bytes.subarray(0, SAMPLE_BYTES));
  decoder.finish();
  const { encoding } = decoder;
  // Other encodings are rare, and their files small; the whole file is converted to UTF-8.
  const isConverted = encoding !== "utf-8";
  const source = isConverted ? new Blob([new TextDecoder(encoding).decode(await file.arrayBuffer())]) : file;
  const head = isConverted ? new Uint8Array(await source.slice(0, headBytes).arrayBuffer()) : bytes;
  const mark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(head.subarray(mark), { stream: true });
  const changed = renameHeader(text, source.size <= headBytes, new Map(Object.entries(names)));
  if (changed === null)
    throw new Error(
      "The header of the file could not be read. Check the file's encoding and its first line.",
    );
  const replaced = mark + new TextEncoder().encode(text.slice(0, changed.length)).length;
  return new File([changed.text, source.slice(replaced)], file.name, { type: file.type });
}
