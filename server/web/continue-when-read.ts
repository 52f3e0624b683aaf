import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Sends `100 Continue` for a request with `Expect: 100-continue` when a handler first reads the body. If the handler
 * rejects the request before, the server sends no `100 Continue`.
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read;
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) response.writeContinue();
    read.call(request, size);
  };
}
