import { createHmac, timingSafeEqual } from "node:crypto";

/** Name of the sign-in library's cookie. */
export const sessionCookie = "better-auth.session_token";

/** Whether a request carries a session's cookie, dead or alive. */
export function carriesSession(headers: Headers): boolean {
  return cookieValue(headers) !== undefined;
}

/**
 * The session's token in a request's cookie, if this service signed it: `<token>.<HMAC-SHA256 in base64>`,
 * percent-encoded, as the sign-in library writes it.
 */
export function sessionToken(headers: Headers, secret: string): string | null {
  const value = decode(cookieValue(headers) ?? "");
  const dot = value.lastIndexOf(".");
  if (dot < 1) return null;
  const token = value.slice(0, dot);
  const given = Buffer.from(value.slice(dot + 1), "base64");
  const own = createHmac("sha256", secret).update(token).digest();
  return given.length === own.length && timingSafeEqual(given, own) ? token : null;
}

function cookieValue(headers: Headers): string | undefined {
  const start = `${sessionCookie}=`;
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
