import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { auth, libraryFailure } from "./auth.ts";
import { cookieForBrowser, cookiesForLibrary } from "./session-cookie.ts";

/** Of the request: its headers, and scheme and host by which the caller reached us. */
export type LibraryCall = { headers: Headers; origin: string };

/**
 * Lets the sign-in library answer one of its addresses.
 *
 * @returns its answer, which is a success
 * @throws {DomainError} `session_required` for a wrong e-mail or password, `forbidden`
 */
export async function askLibrary(
  method: "GET" | "POST",
  path: string,
  { headers, origin }: LibraryCall,
  body: object = {},
): Promise<Response> {
  const sent = new Headers(headers);
  sent.delete("content-length");
  sent.set("content-type", "application/json");
  sent.set("cookie", cookiesForLibrary(headers));
  const request = new Request(`${origin}/api/auth${path}`, {
    method,
    headers: sent,
    ...(method === "POST" ? { body: JSON.stringify(body) } : {}),
  });
  const failure: { cause?: Error } = {};
  const response = await libraryFailure.run(failure, () => auth().handler(request));
  if (response.status === 401) throw new DomainError("session_required", "Email or password is wrong.");
  if (response.status === 403) throw standardError("forbidden");
  // An outage of the database is told as one by its cause.
  if (!response.ok) throw new Error(`The sign-in library answered ${response.status}`, failure);
  return forBrowser(response, headers);
}

/** Copied: the headers of the library's answers are read-only. */
function forBrowser(response: Response, caller: Headers): Response {
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  for (const line of response.headers.getSetCookie()) {
    headers.append("set-cookie", cookieForBrowser(line, caller));
  }
  return new Response(response.body, { status: response.status, headers });
}
