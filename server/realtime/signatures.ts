import { createHash, createHmac, timingSafeEqual } from "node:crypto";

export type Credentials = { appId: string; key: string; secret: string };

const clockToleranceSeconds = 600;

/** Returns the HMAC-SHA256 of a text in hexadecimal. */
export const signed = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(text).digest("hex");

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * Returns whether `auth` authorizes a socket for a channel.
 * https://pusher.com/docs/channels/library_auth_reference/auth-signatures/
 */
export function isChannelAuthorised(
  { key, secret }: Credentials,
  { socketId, channel, auth }: { socketId: string; channel: string; auth: string },
): boolean {
  return equal(auth, `${key}:${signed(secret, `${socketId}:${channel}`)}`);
}

/**
 * Returns the issue of the signature of a call to the HTTP API, or null if it is valid.
 * https://pusher.com/docs/channels/library_auth_reference/rest-api/#authentication
 */
export function requestIssue(
  { key, secret }: Credentials,
  { method, url, body }: { method: string; url: URL; body: Buffer },
): string | null {
  const parameters = [...url.searchParams].map(([name, value]) => [name.toLowerCase(), value] as const);
  const byName = new Map(parameters);
  if (byName.get("auth_key") !== key) return "Unknown auth_key";
  if (byName.get("auth_version") !== "1.0") return "Unknown auth_version: expected 1.0";
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(byName.get("auth_timestamp") ?? Number.NaN));
  if (!(ageSeconds <= clockToleranceSeconds))
    return "Timestamp expired: auth_timestamp is not within 600 s of now";
  if (body.length > 0 && byName.get("body_md5") !== createHash("md5").update(body).digest("hex")) {
    return "Invalid body_md5";
  }
  const query = parameters
    .filter(([name]) => name !== "auth_signature")
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  const expected = signed(secret, [method, url.pathname, query].join("\n"));
  return equal(byName.get("auth_signature") ?? "", expected) ? null : "Invalid signature";
}
