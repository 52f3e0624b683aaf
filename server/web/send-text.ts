import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { JsonAnswer } from "#lib/api/response/json-answer";

/** Minimum size for compression. Shorter texts fit into one packet. */
const MIN_BYTES = 1024;
const acceptsGzip = /(?:^|[,\s])(?:gzip|\*)\s*(?:,|$|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/i;

const compress = promisify(gzip);

/**
 * Sends an answer with its length. Compresses a long one, in another thread, if the caller accepts gzip.
 *
 * @param others additional headers: alternating names and values. Node.js writes such a list unchanged; it takes several
 *   times as long for headers that are set one by one
 */
export async function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: JsonAnswer,
  others: readonly string[],
): Promise<void> {
  const head = [...others, "Vary", "Accept-Encoding"];
  for (const [name, value] of headers) head.push(name, value);
  const isShort = body === null || body.length < MIN_BYTES;
  if (isShort || !acceptsGzip.test(String(request.headers["accept-encoding"] ?? ""))) {
    head.push("Content-Length", String(Buffer.byteLength(body ?? "")));
    response.writeHead(status, head);
    endTogether(response, body);
    return;
  }
  const compressed = await compress(body);
  head.push("Content-Encoding", "gzip", "Content-Length", String(compressed.length));
  response.writeHead(status, head).end(compressed);
}

let ended: [ServerResponse, string | null][] = [];

/**
 * Writes all responses of one event loop iteration together at its end. A reader on the same machine then wakes once for
 * all of them. Waking it takes longer than creating most responses.
 */
function endTogether(response: ServerResponse, body: string | null): void {
  if (ended.push([response, body]) > 1) return;
  setImmediate(() => {
    const all = ended;
    ended = [];
    for (const [one, text] of all) one.end(text);
  });
}
