import fc from "fast-check";
import { expect, test } from "vitest";
import { checksum, generateKey, hashKey, isWellFormedKey, keyPrefix } from "./key-format.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const random = fc.string({ unit: fc.constantFrom(...base62), minLength: 30, maxLength: 30 });

/** CRC-32 (IEEE 802.3), bit by bit. */
function referenceCrc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const fromBase62 = (text: string) => [...text].reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0);

test("a generated key has the documented form and passes its own check", () => {
  for (let count = 0; count < 1_000; count++) {
    const key = generateKey();
    expect(key).toMatch(/^mps_[0-9A-Za-z]{36}$/);
    expect(isWellFormedKey(key)).toBe(true);
    expect(keyPrefix(key)).toBe(key.slice(0, 8));
  }
});

test("the last six characters are the CRC32 of the random ones in base62, padded on the left", () => {
  fc.assert(
    fc.property(random, (characters) => {
      const written = checksum(characters);
      expect(written).toHaveLength(6);
      expect(fromBase62(written)).toBe(referenceCrc32(characters));
    }),
  );
  // The check value of the algorithm, CBF43926.
  expect(checksum("123456789")).toBe("3jZRME");
});

test("rejects a key with one character changed, dropped or doubled", () => {
  fc.assert(
    fc.property(random, fc.nat(35), fc.constantFrom(...base62), (characters, at, digit) => {
      const key = `mps_${characters}${checksum(characters)}`;
      const place = at + 4;
      fc.pre(key[place] !== digit);
      expect(isWellFormedKey(`${key.slice(0, place)}${digit}${key.slice(place + 1)}`)).toBe(false);
      expect(isWellFormedKey(key.slice(0, place) + key.slice(place + 1))).toBe(false);
      expect(isWellFormedKey(key.slice(0, place) + digit + key.slice(place))).toBe(false);
    }),
  );
});

test("the check returns a boolean for any text", () => {
  fc.assert(fc.property(fc.string(), (text) => !isWellFormedKey(text)));
  fc.assert(
    fc.property(random, (characters) => {
      const key = `mps_${characters}${checksum(characters)}`;
      for (const text of [` ${key}`, `${key}\n`, key.toUpperCase(), key.replace("mps_", "mps-")]) {
        expect(isWellFormedKey(text) && text !== key).toBe(false);
      }
    }),
  );
});

test("all digits are about equally frequent", () => {
  const counts = new Map<string, number>();
  const total = 2_000 * 30;
  for (let count = 0; count < 2_000; count++) {
    for (const digit of generateKey().slice(4, 34)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  }
  // Chi-square with 61 degrees of freedom: above 120 once in a hundred thousand runs.
  const expected = total / 62;
  const chi = [...base62].reduce((sum, d) => sum + ((counts.get(d) ?? 0) - expected) ** 2 / expected, 0);
  expect(chi).toBeLessThan(130);
});

test("stores the SHA-256 in hexadecimal", () => {
  expect(hashKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
