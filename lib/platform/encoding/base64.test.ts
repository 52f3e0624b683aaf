import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Base64Decoder, decodeBase64 } from "./base64.ts";

describe("base64", () => {
  it("decodes the platform's encoding of any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = Buffer.from(bytes).toString("base64");
        expect(decodeBase64(text)).toEqual({ bytes: Buffer.from(bytes), issue: null });
      }),
    );
  });

  it("decodes texts longer than one step", () => {
    const bytes = Uint8Array.from({ length: 100_001 }, (_, index) => (index * 7) & 255);
    expect(decodeBase64(Buffer.from(bytes).toString("base64")).bytes).toEqual(Buffer.from(bytes));
  });

  it("accepts a text only if encoding its bytes returns the same text", () => {
    const digits = "ABCDwxyz0189+/=-_ \n";
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...digits, "é", "€"), maxLength: 12 }), (text) => {
        const { bytes } = decodeBase64(text);
        const canonical = Buffer.from(text, "base64").toString("base64") === text;
        expect(bytes !== null).toBe(canonical);
        if (bytes !== null) expect(Buffer.from(bytes).toString("base64")).toBe(text);
      }),
      { numRuns: 5000 },
    );
  });

  it("returns the same bytes and issue for any chunk sizes", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ABCDwxyz0189+/=="), maxLength: 40 });
    const whole = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("base64"));
    fc.assert(
      fc.property(fc.oneof(text, whole), fc.array(fc.nat(40), { maxLength: 5 }), (given, cuts) => {
        const decoder = new Base64Decoder();
        const ends = [...cuts.map((cut) => Math.min(cut, given.length)), given.length].sort((a, b) => a - b);
        const parts = ends.map((end, index) => given.slice(ends[index - 1] ?? 0, end));
        const bytes = parts.flatMap((part) => [...decoder.push(Buffer.from(part))]);
        bytes.push(...decoder.finish());
        const expected = decodeBase64(given);
        expect(decoder.issue).toEqual(expected.issue);
        if (expected.bytes !== null) expect(bytes).toEqual([...expected.bytes]);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["!!!!", 0],
    ["YWJj\n", 4],
    ["YWJjZA", 6],
    ["YWI", 3],
    ["YQ=", 3],
    ["YR==", 1],
    ["YWJ=", 2],
    ["YW=j", 2],
    ["====", 0],
    ["YWJj====", 4],
    ["YW-_", 2],
    ["YWJjY", 5],
  ])("rejects %j and reports the position", (text, position) => {
    expect(decodeBase64(text).issue).toMatchObject({ position });
  });
});
