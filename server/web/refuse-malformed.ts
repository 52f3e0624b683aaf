import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { writeFullLimits } from "#lib/api/caller/rate-limit";
import { logCall } from "#lib/api/log-call";
import { errorAnswer } from "#lib/api/response/error-answer";
import { DomainError } from "#lib/platform/errors/domain-error";
import { newId } from "#lib/platform/ids/new-id";

/** For `refuseMalformed`: what Node.js' parser lets through, but would be answered by it without a word. */
export const noHost = { name: "NoHost", message: "", code: "NO_HOST" };
export const noProxy = { name: "NoProxy", message: "", code: "NO_PROXY" };

/** HTTP/1.1 asks for the header (RFC 9112, section 3.2). */
export const lacksHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host === undefined && httpVersion === "1.1";

/**
 * Answers what is no HTTP request, in the API's own form, and ends the connection.
 *
 * @param latest the latest response on the connection, which may be half written
 */
export function refuseMalformed(
  { code }: NodeJS.ErrnoException,
  socket: Socket,
  latest: ServerResponse | undefined,
): void {
  const begun = latest?.headersSent === true && !latest.writableFinished;
  // Whoever has gone is refused nothing, and is no call.
  if (!socket.writable || begun || code === "ECONNRESET") socket.destroy();
  else socket.end(answerTo(code), () => socket.destroy());
}

function answerTo(code: string | undefined): Buffer {
  // A browser that opened a connection ahead of need sent nothing wrong, and knows what 408 means.
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return Buffer.from(head(408, { "Content-Length": 0 }));
  const requestId = newId();
  const refusal = errorAnswer(new DomainError("validation_failed", reason(code)), requestId);
  const body = Buffer.from(refusal.body ?? "");
  writeFullLimits(refusal.headers);
  const headers = {
    ...Object.fromEntries(refusal.headers),
    "Content-Length": body.length,
    "X-Request-Id": requestId,
    "Cache-Control": "no-store",
  };
  logCall({ operation: "none", method: "none", path: "", requestId, actor: null }, refusal.status, 0);
  return Buffer.concat([Buffer.from(head(refusal.status, headers)), body]);
}

function head(status: number, headers: Record<string, string | number>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${lines.join("")}\r\n`;
}

function reason(code: string | undefined): string {
  if (code === "HPE_HEADER_OVERFLOW") return "The headers are too large: send at most 16 KiB of them.";
  if (code === "HPE_INVALID_EOF_STATE") return "The connection ended before the whole request had come.";
  if (code === noHost.code) return "The header Host is missing: HTTP/1.1 asks for it.";
  if (code === noProxy.code) return "This is no proxy: it takes no CONNECT.";
  return "This is not a valid HTTP request.";
}
