import { createHmac, timingSafeEqual } from "node:crypto";

/** Name of the sign-in library's cookie. */
const libraryCookie = "better-auth.session_token";

/**
 * Its name in a browser that came by HTTPS: with this prefix the browser takes it only with `Secure`, for all paths, and
 * from this very host, so that neither a neighbouring subdomain nor a page without TLS can plant one.
 */
const secureCookie = `__Host-${libraryCookie}`;

/** The scheme is what a trusted proxy said: the server in front drops the header otherwise. */
export const isHttps = (headers: Pick<Headers, "get">): boolean =>
  headers.get("x-forwarded-proto")?.split(",")[0]?.trim().toLowerCase() === "https";

/** The cookies of a request for the sign-in library, which knows its own name alone. */
export function cookiesForLibrary(headers: Pick<Headers, "get">): string {
  const value = cookieValue(headers);
  return value === undefined ? "" : `${libraryCookie}=${value}`;
}

/** A line of `Set-Cookie` of the sign-in library, as this caller's browser gets it. */
export function cookieForBrowser(line: string, headers: Pick<Headers, "get">): string {
  return isHttps(headers) ? `${line.replace(libraryCookie, secureCookie)}; Secure` : line;
}

/** Whether a request carries a session's cookie, dead or alive. */
export function carriesSession(headers: Pick<Headers, "get">): boolean {
  return cookieValue(headers) !== undefined;
}

/**
 * The session's token in a request's cookie, if this service signed it: `<token>.<HMAC-SHA256 in base64>`,
 * percent-encoded, as the sign-in library writes it.
 */
export function sessionToken(headers: Pick<Headers, "get">, secret: string): string | null {
  const value = decode(cookieValue(headers) ?? "");
  const dot = value.lastIndexOf(".");
  if (dot < 1) return null;
  const token = value.slice(0, dot);
  const given = Buffer.from(value.slice(dot + 1), "base64");
  const own = createHmac("sha256", secret).update(token).digest();
  return given.length === own.length && timingSafeEqual(given, own) ? token : null;
}

function cookieValue(headers: Pick<Headers, "get">): string | undefined {
  const start = `${isHttps(headers) ? secureCookie : libraryCookie}=`;
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
