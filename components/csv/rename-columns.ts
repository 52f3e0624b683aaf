import { renameHeader } from "#lib/engine/csv/rename-header";

/** Maximum length of a header; the reader rejects longer rows. */
const headBytes = 4 * 1024 * 1024;

/**
 * Returns the file with other column names. Rewrites only the header and does not read the rest.
 *
 * @param names name in the file → new name
 * @throws {Error} if the header cannot be read
 */
export async function renameColumns(file: File, names: Readonly<Record<string, string>>): Promise<File> {
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  // UTF-16 files are rare and small; the whole file is converted to UTF-8.
  const source = isUtf16 ? new Blob([await decodeUtf16(file, bytes[0] === 0xff)]) : file;
  const head = isUtf16 ? new Uint8Array(await source.slice(0, headBytes).arrayBuffer()) : bytes;
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

async function decodeUtf16(file: Blob, littleEndian: boolean): Promise<string> {
  return new TextDecoder(littleEndian ? "utf-16le" : "utf-16be").decode(await file.arrayBuffer());
}
