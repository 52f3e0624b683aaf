import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { authSecret } from "#lib/config/auth-secret";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts what is kept although it may hold a secret: nonce, tag, ciphertext. */
export function seal(text: string): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, sealingKey(), nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** null where it was sealed with another secret, or changed. */
export function unseal(sealed: Uint8Array): string | null {
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv(algorithm, sealingKey(), nonce).setAuthTag(tag);
  try {
    const text = decipher.update(sealed.subarray(nonceBytes + tagBytes));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

/** A key of its own, out of the secret that signs sessions. */
function sealingKey(): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", authSecret(), "", "idempotency", 32));
}
