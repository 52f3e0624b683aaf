import type { IncomingMessage, ServerResponse } from "node:http";
import { refuseAddress } from "#lib/api/address/refuse-address";

/**
 * Answers what no handler would get to see.
 *
 * @returns whether it has
 */
export function refuseRequest(request: IncomingMessage, response: ServerResponse): boolean {
  const pathname = (request.url ?? "/").split("?", 1)[0] ?? "/";
  const refusal = refuseAddress(request.method ?? "GET", pathname);
  if (refusal === null) return false;
  response.writeHead(refusal.status, Object.fromEntries(refusal.headers));
  response.end(refusal.body);
  return true;
}
