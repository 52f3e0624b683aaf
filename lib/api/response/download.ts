import { Readable } from "node:stream";

/**
 * Streams a file as a download. Stops if the client stops reading. If the content fails, the response ends before its
 * declared size.
 *
 * @param name file name of ASCII letters, digits, `.`, `_` and `-`
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
      // Compression by a proxy would remove the size and save few bytes.
      "Cache-Control": "no-store, no-transform",
    },
  });
}
