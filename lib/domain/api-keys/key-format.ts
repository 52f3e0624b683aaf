import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const keyPattern = /^mps_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** `mps_`, 30 random base62 characters (178 bits), and 6 characters of their CRC32. */
export function generateKey(): string {
  const random = randomCharacters(30);
  return `mps_${random}${checksum(random)}`;
}

/** Whether a text has the form and the checksum of a key: what is mistyped is refused without asking the database. */
export function isWellFormedKey(key: string): boolean {
  const [, random, given] = keyPattern.exec(key) ?? [];
  return random !== undefined && given === checksum(random);
}

/** CRC32 (IEEE) in base62 with the digits `0-9A-Za-z`, padded on the left with `0`. */
export function checksum(text: string): string {
  let rest = crc32(text);
  let out = "";
  while (rest > 0) {
    out = `${digits[rest % 62]}${out}`;
    rest = Math.floor(rest / 62);
  }
  return out.padStart(6, "0");
}

/** What the database knows a key by. A key is random enough that a plain hash cannot be turned back. */
export function hashKey(key: string): string {
  return hash("sha256", key);
}

export const keyPrefix = (key: string) => key.slice(0, 8);

/** Bytes from 248 on are thrown away: 248 is the largest multiple of 62 in a byte, so that no digit comes more often. */
function randomCharacters(count: number): string {
  let out = "";
  while (out.length < count) {
    for (const byte of randomBytes(count)) {
      if (byte < 248 && out.length < count) out += digits[byte % 62];
    }
  }
  return out;
}
