import type { IncomingMessage, ServerResponse } from "node:http";
import { refuseAddress } from "#lib/api/address/refuse-address";

/**
 * Answers API requests that have no handler: unknown paths, methods that a path does not accept, and `OPTIONS`.
 *
 * @returns whether it has answered
 */
export function refuseRequest(request: IncomingMessage, response: ServerResponse): boolean {
  const pathname = (request.url ?? "/").split("?", 1)[0] ?? "/";
  const refusal = refuseAddress(request.method ?? "GET", pathname);
  if (refusal === null) return false;
  response.writeHead(refusal.status, Object.fromEntries(refusal.headers));
  response.end(refusal.body);
  return true;
}
