import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { authSecret } from "#lib/config/auth-secret";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a text that leaves the process though others must neither read nor change it: nonce, tag, ciphertext.
 *
 * @param subject what it is and whose; it is opened only as the same thing
 */
export function seal(text: string, subject: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, sealingKey(), nonce).setAAD(Buffer.from(subject));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** null where it was sealed with another secret or as another thing, or is nothing that was sealed. */
export function unseal(sealed: Uint8Array, subject: string): string | null {
  if (sealed.length < nonceBytes + tagBytes) return null;
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv(algorithm, sealingKey(), nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(subject))
    .setAuthTag(tag);
  try {
    const text = decipher.update(sealed.subarray(nonceBytes + tagBytes));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

/** A key of its own, out of the secret that signs sessions. */
function sealingKey(): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", authSecret(), "", "sealing", 32));
}
