import { sql } from "drizzle-orm";
import { database } from "#db/client";
import { DomainError } from "#lib/errors/domain-error";
import { standardError } from "#lib/errors/standard-error";
import { auth } from "./auth.ts";
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
  const response = await auth().handler(
    new Request(`${origin}/api/auth${path}`, {
      method,
      headers: sent,
      ...(method === "POST" ? { body: JSON.stringify(body) } : {}),
    }),
  );
  if (response.status === 401) throw new DomainError("session_required", "Email or password is wrong.");
  if (response.status === 403) throw standardError("forbidden");
  if (!response.ok) await fail(response.status);
  return forBrowser(response, headers);
}

/**
 * The library hides why it failed. A database that is away makes the query here fail too, so that the caller is told of an
 * outage and not of an error.
 */
async function fail(status: number): Promise<never> {
  await database().execute(sql`select 1`);
  throw new Error(`The sign-in library answered ${status}`);
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
