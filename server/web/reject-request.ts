import type { IncomingMessage, ServerResponse } from "node:http";
import { rejectAddress } from "#lib/api/address/reject-address";

/**
 * Answers API requests that have no handler: unknown paths, methods that a path does not accept, and `OPTIONS`.
 *
 * @returns whether it has answered
 */
export function rejectRequest(request: IncomingMessage, response: ServerResponse): boolean {
  const pathname = (request.url ?? "/").split("?", 1)[0] ?? "/";
  const rejection = rejectAddress(request.method ?? "GET", pathname);
  if (rejection === null) return false;
  response.writeHead(rejection.status, Object.fromEntries(rejection.headers));
  response.end(rejection.body);
  return true;
}
