import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { isHttps } from "./session-cookie.ts";

const NAME = "forkcast.device";
/** Name in a browser that uses HTTPS; see `session-cookie.ts`. */
const SECURE_NAME = `__Host-${NAME}`;
const MAX_AGE_SECONDS = 365 * 86_400;

type Headers = Pick<globalThis.Headers, "get">;

/**
 * Returns the ID of the device if it has signed in to the account before: its cookie holds `<id>.<HMAC-SHA256 of id and
 * e-mail>`. Null otherwise. A browser keeps the account that signed in last.
 */
export function knownDevice(headers: Headers, email: string, secret: string): string | null {
  const start = `${isHttps(headers) ? SECURE_NAME : NAME}=`;
  const cookie = headers
    .get("cookie")
    ?.split(";")
    .map((one) => one.trim())
    .find((one) => one.startsWith(start));
  const [id = "", signature = ""] = cookie?.slice(start.length).split(".") ?? [];
  const [given, own] = [Buffer.from(signature), Buffer.from(sign(id, email, secret))];
  return id !== "" && given.length === own.length && timingSafeEqual(given, own) ? id : null;
}

/** Returns the `Set-Cookie` line that makes the device known for the account. */
export function deviceCookie(
  headers: Headers,
  { email, device, secret }: { email: string; device: string | null; secret: string },
): string {
  const id = device ?? randomUUID();
  const [name, secure] = isHttps(headers) ? [SECURE_NAME, "; Secure"] : [NAME, ""];
  const value = `${id}.${sign(id, email, secret)}`;
  return `${name}=${value}; Max-Age=${MAX_AGE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

const sign = (id: string, email: string, secret: string) =>
  createHmac("sha256", secret).update(`device ${id} ${email}`).digest("base64url");
