import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { isHttps } from "./session-cookie.ts";

const NAME = "forkcast.device";
/** Name in a browser that uses HTTPS; see `session-cookie.ts`. */
const SECURE_NAME = `__Host-${NAME}`;
const MAX_AGE_SECONDS = 365 * 86_400;

type Headers = Pick<globalThis.Headers, "get">;

/** Account that a device has signed in to. A new password has another hash, so it ends all known devices. */
type DeviceAccount = { email: string; passwordHash: string; secret: string };

/**
 * Returns the ID of the device if it has signed in to the account with its present password: its cookie holds
 * `<id>.<HMAC-SHA256 of id, e-mail and password hash>`. Null otherwise. A browser keeps the account that signed in last.
 */
export function knownDevice(headers: Headers, account: DeviceAccount): string | null {
  const start = `${isHttps(headers) ? SECURE_NAME : NAME}=`;
  const cookie = headers
    .get("cookie")
    ?.split(";")
    .map((one) => one.trim())
    .find((one) => one.startsWith(start));
  const [id = "", signature = ""] = cookie?.slice(start.length).split(".") ?? [];
  const [given, own] = [Buffer.from(signature), Buffer.from(sign(id, account))];
  return id !== "" && given.length === own.length && timingSafeEqual(given, own) ? id : null;
}

/** Returns the `Set-Cookie` line that makes the device known for the account. */
export function deviceCookie(
  headers: Headers,
  { device, ...account }: DeviceAccount & { device: string | null },
): string {
  const id = device ?? randomUUID();
  const [name, secure] = isHttps(headers) ? [SECURE_NAME, "; Secure"] : [NAME, ""];
  const value = `${id}.${sign(id, account)}`;
  return `${name}=${value}; Max-Age=${MAX_AGE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

const sign = (id: string, { email, passwordHash, secret }: DeviceAccount) =>
  createHmac("sha256", secret).update(`device ${id} ${email} ${passwordHash}`).digest("base64url");
