import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { auth, libraryFailure } from "./auth.ts";
import { cookieForBrowser, cookiesForLibrary } from "./session-cookie.ts";

/** The request's headers, and the scheme and host by which the caller reached the service. */
export type LibraryCall = { headers: Headers; origin: string };

/**
 * Passes a request to a route of the sign-in library.
 *
 * @returns the library's successful response
 * @throws {DomainError} `session_required` for a wrong e-mail or password, `forbidden`
 */
export async function callAuthLibrary(
  method: "GET" | "POST",
  path: string,
  caller: LibraryCall,
  body: object = {},
): Promise<Response> {
  const failure: { cause?: Error } = {};
  const response = await libraryFailure.run(failure, () => passToLibrary(method, path, caller, { body }));
  if (response.status === 401) throw wrongPasswordError();
  if (response.status === 403) throw standardError("forbidden");
  // The cause shows whether the database is down.
  if (!response.ok) throw new Error(`The sign-in library answered ${response.status}`, failure);
  return response;
}

/**
 * Passes a request to a route of the sign-in library, and returns its response with cookies for the caller's
 * browser.
 *
 * @param auth default: the library for e-mail and password
 */
export async function passToLibrary(
  method: "GET" | "POST",
  path: string,
  { headers, origin }: LibraryCall,
  {
    auth: library = auth(),
    body = {},
  }: { auth?: Pick<ReturnType<typeof auth>, "handler">; body?: object } = {},
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
  return forBrowser(await library.handler(request), headers);
}

export const wrongPasswordError = () => new DomainError("session_required", "Email or password is wrong.");

/** Copies the response, because the library's headers are read-only. */
function forBrowser(response: Response, caller: Headers): Response {
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  for (const line of response.headers.getSetCookie()) {
    headers.append("set-cookie", cookieForBrowser(line, caller));
  }
  return new Response(response.body, { status: response.status, headers });
}
