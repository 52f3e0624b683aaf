import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { authSecret } from "./secrets.ts";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts and authenticates a text that leaves the process. Result: nonce, tag, ciphertext.
 *
 * @param subject purpose and owner of the text. `unseal` requires the same subject
 */
export function seal(text: string, subject: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, sealingKey(), nonce).setAAD(Buffer.from(subject));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Returns the text. null if it was sealed with another secret or for another subject, or was not sealed at all. */
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

/** Derives a separate key from the secret that signs sessions. */
function sealingKey(): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", authSecret(), "", "sealing", 32));
}
