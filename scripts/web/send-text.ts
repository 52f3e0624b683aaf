import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { JsonAnswer } from "#lib/http/json-answer";

/** What is shorter takes one packet in any case. */
const LEAST_BYTES = 1024;
const takesGzip = /(?:^|[,\s])(?:gzip|\*)\s*(?:,|$|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/i;

const compress = promisify(gzip);

/** Sends an answer with its length, compressed where that helps and the caller takes it: that in a thread of its own. */
export async function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: JsonAnswer,
): Promise<void> {
  for (const [name, value] of headers) response.setHeader(name, value);
  response.setHeader("Vary", "Accept-Encoding");
  response.statusCode = status;
  const isShort = body === null || body.length < LEAST_BYTES;
  if (isShort || !takesGzip.test(String(request.headers["accept-encoding"] ?? ""))) {
    response.end(body);
    return;
  }
  const compressed = await compress(body);
  response.setHeader("Content-Encoding", "gzip").end(compressed);
}
