import { setImmediate as nextTick } from "node:timers/promises";
import type { ApiRequest } from "#lib/api/api-request";

/** Returns whether the client names CSV with a higher weight than JSON (RFC 9110, 12.5.1). */
export function wantsCsv(request: ApiRequest): boolean {
  const accept = (request.headers.get("accept") ?? "").toLowerCase();
  const ranges = accept.split(",").map((range) => range.split(";").map((part) => part.trim()));
  const weightOf = (type: string) => {
    const range = ranges.find(([name]) => name === type);
    return range ? Number(range.find((part) => part.startsWith("q="))?.slice(2) ?? 1) : 0;
  };
  return weightOf("text/csv") > weightOf("application/json");
}

/**
 * Streams pieces of CSV as a download. Creates each piece when there is room for it, and stops if the client stops
 * reading. If a later piece fails, the response ends early.
 *
 * @throws the error of the first piece, while the response can still report it
 */
export async function csvDownload(
  title: string,
  pieces: Generator<string> | AsyncGenerator<string>,
): Promise<Response> {
  const encoder = new TextEncoder();
  let made: IteratorResult<string> | null = await pieces.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Yields to other requests. Creating all pieces at once would block them.
      await nextTick();
      const { value, done } = made ?? (await pieces.next());
      made = null;
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": contentDisposition(title),
      "Cache-Control": "no-store",
    },
  });
}

/**
 * Characters that a file name must not have: control characters, path separators, and marks that change the text
 * direction.
 */
const UNFIT = /[\p{Cc}\p{Bidi_Control}\u2028\u2029"\\/:*?<>|]+/gu;
/** File systems allow 255 bytes, including the extension and the suffix that a browser adds to duplicate names. */
const NAME_BYTES = 240;

/** Returns a header with two names (RFC 6266): one in ASCII, and the real one. The title is text, never a path. */
export function contentDisposition(title: string): string {
  const base = title
    .toWellFormed()
    .replace(UNFIT, "_")
    .replace(/^[\s.]+/, "");
  const name = `${cutToBytes(base, NAME_BYTES).trim() || "predictions"}.csv`;
  const plain = name.replace(/[^\x20-\x7e]|%/g, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${percentEncoded(name)}`;
}

function cutToBytes(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

/** Escapes the characters that encodeURIComponent leaves and the header's grammar does not allow (RFC 8187). */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
