import { createHmac, randomBytes } from "node:crypto";
import { seal, unseal } from "#lib/platform/config/seal";

const prefix = "whsec_";
const secretBytes = 32;

const subjectOf = (webhookId: string) => `webhook ${webhookId}`;

export function newSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString("base64")}`;
}

/** Encrypts a secret for the database. Only the webhook with this ID can read it. */
export const sealSecret = (secret: string, webhookId: string): Buffer => seal(secret, subjectOf(webhookId));

/** Returns a stored secret. null if `AUTH_SECRET` has changed since. */
export const unsealSecret = (sealed: Uint8Array, webhookId: string): string | null =>
  unseal(sealed, subjectOf(webhookId));

/**
 * Returns the headers of a delivery by Standard Webhooks: HMAC-SHA256 of ID, time and body, one signature for each secret.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @param secrets during the overlap of a rotation the new one, then the previous one
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, body, at = new Date() }: { id: string; body: string; at?: Date },
): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1_000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}
