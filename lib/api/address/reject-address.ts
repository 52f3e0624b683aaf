import { writeUnusedLimits } from "#lib/api/caller/rate-limit-headers";
import { logCall } from "#lib/api/log-call";
import { errorAnswer } from "#lib/api/response/error-answer";
import { JsonAnswer } from "#lib/api/response/json-answer";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { newId } from "#lib/platform/ids/new-id";
import { findMethods } from "./find-methods.ts";

/**
 * Responds to API requests that have no handler: unknown paths, methods that a path does not accept, and `OPTIONS`.
 * Used by the server in front of Next.js, because Next.js would respond with a page, a redirect or an empty body.
 *
 * @param pathname encoded, as received
 * @returns null if a handler responds, or if the path is outside the API
 */
export function rejectAddress(method: string, pathname: string): JsonAnswer | null {
  if (!isApiPath(pathname)) return null;
  const methods = findMethods(pathname);
  if (methods?.includes(method)) return null;
  const requestId = newId();
  const answer =
    methods === null
      ? errorAnswer(nothingAtError(pathname), requestId)
      : answerForMethod(method, methods, requestId);
  if (answer === null) return null;
  answer.headers.set("X-Request-Id", requestId);
  answer.headers.set("Cache-Control", "no-store");
  writeUnusedLimits(answer.headers);
  logCall({ operation: "none", method, path: pathname, requestId, actor: null }, answer.status, 0);
  return answer;
}

/**
 * Returns whether a path belongs to the API. Also matches doubled slashes, escaped letters and `*`, so that every such
 * request receives the envelope instead of a page.
 */
function isApiPath(pathname: string): boolean {
  if (pathname.startsWith("/api/")) return true;
  const first = pathname.split(/[/\\]+/).find((segment) => segment !== "") ?? "";
  const unescaped = first.replace(/%[4-7][0-9a-f]/gi, decodeURIComponent);
  return pathname === "*" || unescaped.toLowerCase() === "api";
}

function nothingAtError(pathname: string): DomainError {
  if (findMethods(pathname.replace(/\/+$/, "")) === null) return standardError("not_found");
  return new DomainError("not_found", "This path does not exist. Remove the trailing slash.");
}

function answerForMethod(method: string, methods: readonly string[], requestId: string): JsonAnswer | null {
  const allowed = [...(methods.includes("GET") ? ["HEAD"] : []), ...methods, "OPTIONS"];
  if (allowed.includes(method) && method !== "OPTIONS") return null;
  const message = `This path does not accept ${method}. Use ${methods.join(" or ")}.`;
  const answer =
    method === "OPTIONS"
      ? new JsonAnswer(null, 204)
      : errorAnswer(new DomainError("method_not_allowed", message), requestId);
  answer.headers.set("Allow", allowed.join(", "));
  return answer;
}
