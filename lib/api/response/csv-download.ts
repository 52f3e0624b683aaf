import { setImmediate as nextTurn } from "node:timers/promises";
import type { ApiRequest } from "#lib/api/api-request";

/** Whether the caller asks for CSV rather than JSON. */
export function wantsCsv(request: ApiRequest): boolean {
  const accepted = (request.headers.get("accept") ?? "").toLowerCase().split(",");
  const types = accepted.map((range) => range.split(";")[0]!.trim());
  return types.includes("text/csv") && !types.includes("application/json");
}

/**
 * Streams pieces of CSV as a download, each made once there is room for it. A reader that stops reading stops their making;
 * where that fails, the answer breaks off.
 *
 * @throws what the making of the first piece throws: then the answer can still say so
 */
export async function csvDownload(
  title: string,
  pieces: Generator<string> | AsyncGenerator<string>,
): Promise<Response> {
  const encoder = new TextEncoder();
  let made: IteratorResult<string> | null = await pieces.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // A line that takes everything at once would leave no time for other requests.
      await nextTurn();
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

/** What no file is called: control characters, signs that part paths, and marks that turn the direction of what is read. */
const UNFIT = /[\p{Cc}\p{Bidi_Control}\u2028\u2029"\\/:*?<>|]+/gu;
/** File systems take 255 bytes, with the ending and what a browser adds to the second file of a name. */
const NAME_BYTES = 240;

/** RFC 6266: a name for those that know only ASCII, and the real one. The title is text, never a path. */
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

/** RFC 8187: what encodeURIComponent leaves as it is and the header's grammar does not allow. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
