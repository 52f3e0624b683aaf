import type { ApiRequest } from "#lib/api/api-request";
import { carriesSession, isHttps } from "#lib/domain/users/session-cookie";
import { issueError } from "#lib/platform/errors/domain-error";

/** Returns the scheme and host under which the client reached the service. */
export function publicOrigin(request: ApiRequest): string {
  const scheme = isHttps(request.headers) ? "https" : "http";
  const host = request.headers.get("host") ?? new URL(request.url).host;
  return `${scheme}://${host}`;
}

/** Returns whether the request came from a page of this service; false without an `Origin`. */
function isSameOrigin(request: ApiRequest): boolean {
  const header = request.headers.get("origin");
  if (header === null || !URL.canParse(header)) return false;
  const own = publicOrigin(request);
  return URL.canParse(own) && new URL(header).origin === new URL(own).origin;
}

const readingMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Rejects cross-origin mutations. A browser sends the user's cookie with requests of any page, and `Origin` names that
 * page. A client that sends neither a session cookie nor `Origin` is not a browser with a session.
 *
 * @throws {DomainError} `forbidden` for a mutation with a cookie or an `Origin` that does not come from this service's
 *   pages
 */
export function rejectCrossOrigin(request: ApiRequest): void {
  const fromPage = request.headers.has("origin") || carriesSession(request.headers);
  if (!fromPage || readingMethods.has(request.method) || isSameOrigin(request)) return;
  const message =
    "A change with a session cookie must come from the service's own pages. Send the service's own scheme and host in the header Origin.";
  throw issueError("forbidden", { field: "Origin", code: "foreign_origin", message });
}
