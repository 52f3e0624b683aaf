import { writeFullLimits } from "#lib/api/caller/rate-limit";
import { logCall } from "#lib/api/log-call";
import { errorAnswer } from "#lib/api/response/error-answer";
import { JsonAnswer } from "#lib/api/response/json-answer";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { newId } from "#lib/platform/ids/new-id";
import { findAddress } from "./find-methods.ts";

/**
 * Answers for the API what no handler is there for: addresses with nothing at them, methods that an address does not
 * take, and `OPTIONS`. For the server in front of Next.js, which would answer these with a page, a redirect or nothing.
 *
 * @param pathname as it came, still encoded
 * @returns null where a handler is to answer, or the address is none of the API
 */
export function refuseAddress(method: string, pathname: string): JsonAnswer | null {
  if (!isOfApi(pathname)) return null;
  const methods = findAddress(pathname)?.methods ?? null;
  if (methods?.includes(method)) return null;
  const requestId = newId();
  const answer =
    methods === null
      ? errorAnswer(nothingAt(pathname), requestId)
      : answerForMethod(method, methods, requestId);
  if (answer === null) return null;
  answer.headers.set("X-Request-Id", requestId);
  answer.headers.set("Cache-Control", "no-store");
  writeFullLimits(answer.headers);
  logCall({ operation: "none", method, path: pathname, requestId, actor: null }, answer.status, 0);
  return answer;
}

/** Also where slashes are doubled or letters escaped, so that nobody gets a page in place of the envelope. */
function isOfApi(pathname: string): boolean {
  if (pathname.startsWith("/api/")) return true;
  const first = pathname.split(/[/\\]+/).find((segment) => segment !== "") ?? "";
  const unescaped = first.replace(/%[4-7][0-9a-f]/gi, decodeURIComponent);
  return pathname === "*" || unescaped.toLowerCase() === "api";
}

function nothingAt(pathname: string): DomainError {
  if (findAddress(pathname.replace(/\/+$/, "")) === null) return standardError("not_found");
  return new DomainError("not_found", "There is nothing at this address: leave out the slash at its end.");
}

function answerForMethod(method: string, methods: readonly string[], requestId: string): JsonAnswer | null {
  const allowed = [...(methods.includes("GET") ? ["HEAD"] : []), ...methods, "OPTIONS"];
  if (allowed.includes(method) && method !== "OPTIONS") return null;
  const message = `This address does not take ${method}: use ${methods.join(" or ")}.`;
  const answer =
    method === "OPTIONS"
      ? new JsonAnswer(null, 204)
      : errorAnswer(new DomainError("method_not_allowed", message), requestId);
  answer.headers.set("Allow", allowed.join(", "));
  return answer;
}
