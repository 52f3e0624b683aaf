import { DomainError } from "#lib/errors/domain-error";
import { standardError } from "#lib/errors/standard-error";
import { newId } from "#lib/ids/new-id";
import { errorResponse } from "./error-response.ts";
import { methodsAt } from "./find-address.ts";
import { logCall } from "./log-call.ts";
import { writeFullLimits } from "./rate-limit.ts";

/**
 * Answers for the API what no handler is there for: addresses with nothing at them, methods that an address does not
 * take, and `OPTIONS`. For the server in front of Next.js, which would answer these with a page, a redirect or nothing.
 *
 * @param pathname as it came, still encoded
 * @returns null where a handler is to answer, or the address is none of the API
 */
export function refuseAddress(method: string, pathname: string): Response | null {
  if (!isOfApi(pathname)) return null;
  const requestId = newId();
  const methods = methodsAt(pathname);
  const response =
    methods === null
      ? errorResponse(nothingAt(pathname), requestId)
      : answerForMethod(method, methods, requestId);
  if (response === null) return null;
  response.headers.set("X-Request-Id", requestId);
  response.headers.set("Cache-Control", "no-store");
  writeFullLimits(response.headers);
  logCall({ operation: "none", method, path: pathname, requestId, actor: null }, response.status, 0);
  return response;
}

/** Also where slashes are doubled or letters escaped, so that nobody gets a page in place of the envelope. */
function isOfApi(pathname: string): boolean {
  const first = pathname.split(/[/\\]+/).find((segment) => segment !== "") ?? "";
  const unescaped = first.replace(/%[4-7][0-9a-f]/gi, decodeURIComponent);
  return pathname === "*" || unescaped.toLowerCase() === "api";
}

function nothingAt(pathname: string): DomainError {
  if (methodsAt(pathname.replace(/\/+$/, "")) === null) return standardError("not_found");
  return new DomainError("not_found", "There is nothing at this address: leave out the slash at its end.");
}

function answerForMethod(method: string, methods: readonly string[], requestId: string): Response | null {
  const allowed = [...(methods.includes("GET") ? ["HEAD"] : []), ...methods, "OPTIONS"];
  if (allowed.includes(method) && method !== "OPTIONS") return null;
  const message = `This address does not take ${method}: use ${methods.join(" or ")}.`;
  const response =
    method === "OPTIONS"
      ? new Response(null, { status: 204 })
      : errorResponse(new DomainError("method_not_allowed", message), requestId);
  response.headers.set("Allow", allowed.join(", "));
  return response;
}
