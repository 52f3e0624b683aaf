import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { JsonAnswer } from "#lib/api/response/json-answer";

/** What is shorter takes one packet in any case. */
const LEAST_BYTES = 1024;
const takesGzip = /(?:^|[,\s])(?:gzip|\*)\s*(?:,|$|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/i;

const compress = promisify(gzip);

/**
 * Sends an answer with its length, compressed where that helps and the caller takes it: that in a thread of its own.
 *
 * @param others headers besides the answer's own: names and values in turn, since Node.js writes such a list as it is and
 *   takes several times as long for headers that are set one by one
 */
export async function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: JsonAnswer,
  others: readonly string[],
): Promise<void> {
  const head = [...others, "Vary", "Accept-Encoding"];
  for (const [name, value] of headers) head.push(name, value);
  const isShort = body === null || body.length < LEAST_BYTES;
  if (isShort || !takesGzip.test(String(request.headers["accept-encoding"] ?? ""))) {
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
 * Writes the answers of one turn of the event loop one right after the other at its end: whoever reads them, on the same
 * machine most often, is woken once for all and not for each, which takes longer than most of them took to make.
 */
function endTogether(response: ServerResponse, body: string | null): void {
  if (ended.push([response, body]) > 1) return;
  setImmediate(() => {
    const all = ended;
    ended = [];
    for (const [one, text] of all) one.end(text);
  });
}
