import { Readable } from "node:stream";

/**
 * A file as a download, made while it is read. A reader that stops reading stops its making; where the making fails, the
 * answer breaks off before the size that it declares.
 *
 * @param name a file name of ASCII letters, digits, `.`, `_` and `-`
 */
export function streamDownload(
  content: AsyncIterable<Uint8Array>,
  { name, mediaType, bytes }: { name: string; mediaType: string; bytes: number },
): Response {
  return new Response(Readable.toWeb(Readable.from(content, { objectMode: false })) as ReadableStream, {
    headers: {
      "Content-Type": mediaType,
      "Content-Length": String(bytes),
      "Content-Disposition": `attachment; filename="${name}"`,
      // Compressed on the way it would lose its size, and few bytes.
      "Cache-Control": "no-store, no-transform",
    },
  });
}
