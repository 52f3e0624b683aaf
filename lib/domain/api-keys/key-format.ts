import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const keyPattern = /^mps_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** Generates a key: `mps_`, 30 random base62 characters (178 bits), and 6 characters of their CRC32. */
export function generateKey(): string {
  const random = randomCharacters(30);
  return `mps_${random}${checksum(random)}`;
}

/** Returns whether a text has the format and the checksum of a key. Mistyped keys are rejected without a query. */
export function isWellFormedKey(key: string): boolean {
  const [, random, sentChecksum] = keyPattern.exec(key) ?? [];
  return random !== undefined && sentChecksum === checksum(random);
}

/** Returns the CRC32 (IEEE) in base62 with the digits `0-9A-Za-z`, padded on the left with `0`. */
export function checksum(text: string): string {
  let rest = crc32(text);
  let out = "";
  while (rest > 0) {
    out = `${digits[rest % 62]}${out}`;
    rest = Math.floor(rest / 62);
  }
  return out.padStart(6, "0");
}

/** Returns the hash that the database stores. A key is random enough that a plain hash cannot be reversed. */
export function hashKey(key: string): string {
  return hash("sha256", key);
}

export const keyPrefix = (key: string) => key.slice(0, 8);

/** Discards bytes from 248 on: 248 is the largest multiple of 62 in a byte, so all digits are equally frequent. */
function randomCharacters(count: number): string {
  let out = "";
  while (out.length < count) {
    for (const byte of randomBytes(count)) {
      if (byte < 248 && out.length < count) out += digits[byte % 62];
    }
  }
  return out;
}
