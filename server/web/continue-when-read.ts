import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Of a request with `Expect: 100-continue`: tells the caller to send the body when somebody begins to read it, and not
 * where the request is refused before.
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read;
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) response.writeContinue();
    read.call(request, size);
  };
}
