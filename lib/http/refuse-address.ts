import { DomainError } from "#lib/errors/domain-error";
import { newId } from "#lib/ids/new-id";
import { errorResponse } from "./error-response.ts";
import { methodsAt } from "./find-address.ts";
import { notFound } from "./path-params.ts";
import { writeFullLimits } from "./rate-limit.ts";

/**
 * What Next.js would answer with an empty body before any handler is asked: a method that an address of the API does not
 * take, a path that cannot be decoded. For the server in front of it.
 *
 * @param pathname as it came, still encoded
 * @returns null where a handler is to answer
 */
export function refuseAddress(method: string, pathname: string): Response | null {
  if (!pathname.startsWith("/api/")) return null;
  if (!isDecodable(pathname)) return refuse(notFound("not_found"));
  const methods = methodsAt(pathname.replace(/\/+$/, ""));
  if (methods === null || method === "OPTIONS") return null;
  const allowed = methods.includes("GET") ? ["HEAD", ...methods] : methods;
  if (allowed.includes(method)) return null;
  const message = `This address does not take ${method}: use ${methods.join(" or ")}.`;
  const response = refuse(new DomainError("method_not_allowed", message));
  response.headers.set("Allow", [...allowed, "OPTIONS"].join(", "));
  return response;
}

function refuse(error: DomainError): Response {
  const requestId = newId();
  const response = errorResponse(error, requestId);
  response.headers.set("X-Request-Id", requestId);
  response.headers.set("Cache-Control", "no-store");
  writeFullLimits(response.headers);
  return response;
}

function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}
