import { createHmac, timingSafeEqual } from "node:crypto";

/** Names of the sign-in library's cookies: of a session, and of a sign-in at the company's provider in progress. */
const sessionCookie = "better-auth.session_token";
const stateCookie = "better-auth.oauth_state";

/**
 * Prefix of the cookies in a browser that uses HTTPS. For this prefix, browsers require `Secure`, all paths and this
 * exact host. So neither a neighbouring subdomain nor a page without TLS can set the cookie.
 */
const securePrefix = "__Host-";

/** Returns whether the request came by HTTPS. The front server drops the header unless a trusted proxy sent it. */
export const isHttps = (headers: Pick<Headers, "get">): boolean =>
  headers.get("x-forwarded-proto")?.split(",")[0]?.trim().toLowerCase() === "https";

/** Returns the request's cookies under the names that the sign-in library expects. */
export function cookiesForLibrary(headers: Pick<Headers, "get">): string {
  return [sessionCookie, stateCookie]
    .flatMap((name) => {
      const value = cookieValue(headers, name);
      return value === undefined ? [] : [`${name}=${value}`];
    })
    .join("; ");
}

/** Returns a `Set-Cookie` line of the sign-in library under the name for the caller's browser. */
export function cookieForBrowser(line: string, headers: Pick<Headers, "get">): string {
  return isHttps(headers) ? `${securePrefix}${line}; Secure` : line;
}

/** Returns whether a request carries a session cookie, valid or not. */
export function carriesSession(headers: Pick<Headers, "get">): boolean {
  return cookieValue(headers) !== undefined;
}

/**
 * Returns the session token of a request's cookie if this service signed it. The format is the sign-in library's:
 * `<token>.<HMAC-SHA256 in base64>`, percent-encoded.
 */
export function sessionToken(headers: Pick<Headers, "get">, secret: string): string | null {
  const value = decode(cookieValue(headers) ?? "");
  const dot = value.lastIndexOf(".");
  if (dot < 1) return null;
  const token = value.slice(0, dot);
  const signature = Buffer.from(value.slice(dot + 1), "base64");
  const own = createHmac("sha256", secret).update(token).digest();
  return signature.length === own.length && timingSafeEqual(signature, own) ? token : null;
}

function cookieValue(headers: Pick<Headers, "get">, name = sessionCookie): string | undefined {
  const start = `${isHttps(headers) ? securePrefix : ""}${name}=`;
  const cookies = headers.get("cookie")?.split(";") ?? [];
  return cookies
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(start))
    ?.slice(start.length);
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}
