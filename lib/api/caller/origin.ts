import type { ApiRequest } from "#lib/api/api-request";
import { carriesSession, isHttps } from "#lib/domain/users/session-cookie";
import { DomainError } from "#lib/platform/errors/domain-error";

/** Scheme and host under which the caller reached the service. */
export function publicOrigin(request: ApiRequest): string {
  const scheme = isHttps(request.headers) ? "https" : "http";
  const host = request.headers.get("host") ?? new URL(request.url).host;
  return `${scheme}://${host}`;
}

/** Whether the page that sent the request is one of ours. No `Origin` is no proof of that. */
function isSameOrigin(request: ApiRequest): boolean {
  const given = request.headers.get("origin");
  if (given === null || !URL.canParse(given)) return false;
  const own = publicOrigin(request);
  return URL.canParse(own) && new URL(given).origin === new URL(own).origin;
}

const readingMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * A browser sends the user's cookie whichever page asks; `Origin` says which page that was. A program that sends neither
 * is nobody's browser.
 *
 * @throws {DomainError} `forbidden` for a change by a cookie, or from a page, that is not from a page of this service
 */
export function refuseForeignPage(request: ApiRequest): void {
  const fromPage = request.headers.has("origin") || carriesSession(request.headers);
  if (!fromPage || readingMethods.has(request.method) || isSameOrigin(request)) return;
  const message = "A change by a session's cookie must come from the service's own pages (header Origin).";
  throw new DomainError("forbidden", message, {
    details: [{ field: "Origin", code: "foreign_origin", message }],
  });
}
