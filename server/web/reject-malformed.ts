import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { writeUnusedLimits } from "#lib/api/caller/rate-limit-headers";
import { logCall } from "#lib/api/log-call";
import { errorAnswer } from "#lib/api/response/error-answer";
import { DomainError } from "#lib/platform/errors/domain-error";
import { newId } from "#lib/platform/ids/new-id";

/** Errors for `rejectMalformed`. The parser of Node.js accepts such requests; Node.js would answer without a body. */
const noHost = { name: "NoHost", message: "", code: "NO_HOST" };
const twoHosts = { name: "TwoHosts", message: "", code: "TWO_HOSTS" };
export const noProxy = { name: "NoProxy", message: "", code: "NO_PROXY" };

/**
 * Returns the error of a request without the header Host, or with several; null for exactly one, which HTTP/1.1 requires
 * (RFC 9112, section 3.2). With several, two servers could read different hosts from the same request.
 */
export function hostError({ rawHeaders, httpVersion }: IncomingMessage): NodeJS.ErrnoException | null {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  if (count > 1) return twoHosts;
  return count === 0 && httpVersion === "1.1" ? noHost : null;
}

/**
 * Answers a malformed HTTP request with an error of the API, and ends the connection.
 *
 * @param latest latest response on the connection, which may be incomplete
 */
export function rejectMalformed(
  { code }: NodeJS.ErrnoException,
  socket: Socket,
  latest: ServerResponse | undefined,
): void {
  const begun = latest?.headersSent === true && !latest.writableFinished;
  // A caller that has left receives nothing and does not count as a call.
  if (!socket.writable || begun || code === "ECONNRESET") socket.destroy();
  else socket.end(answerTo(code), () => socket.destroy());
}

function answerTo(code: string | undefined): Buffer {
  // A browser that opened a connection in advance has sent nothing wrong, and understands 408.
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return Buffer.from(head(408, { "Content-Length": 0 }));
  const requestId = newId();
  const rejection = errorAnswer(new DomainError("validation_failed", reason(code)), requestId);
  const body = Buffer.from(rejection.body ?? "");
  writeUnusedLimits(rejection.headers);
  const headers = {
    ...Object.fromEntries(rejection.headers),
    "Content-Length": body.length,
    "X-Request-Id": requestId,
    "Cache-Control": "no-store",
  };
  logCall({ operation: "none", method: "none", path: "", requestId, actor: null }, rejection.status, 0);
  return Buffer.concat([Buffer.from(head(rejection.status, headers)), body]);
}

function head(status: number, headers: Record<string, string | number>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${lines.join("")}\r\n`;
}

function reason(code: string | undefined): string {
  if (code === "HPE_HEADER_OVERFLOW") return "The headers exceed the limit of 16 KiB.";
  if (code === "HPE_INVALID_EOF_STATE") return "The connection ended before the end of the request.";
  if (code === twoHosts.code) return "The request has several Host headers. Send exactly one.";
  if (code === noHost.code) return "The header Host is missing. HTTP/1.1 requires it.";
  if (code === noProxy.code) return "This server is not a proxy and does not support the method CONNECT.";
  return "This is not a valid HTTP request.";
}
