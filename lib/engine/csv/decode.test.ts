import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextChunkDecoder } from "./decode.ts";

function decodeWhole(bytes: Uint8Array) {
  const decoder = new TextChunkDecoder();
  const text = decoder.push(bytes) + decoder.finish();
  return { text, encoding: decoder.encoding, issue: decoder.issue };
}

function utf16(text: string, bigEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, !bigEndian);
  for (let i = 0; i < text.length; i++) view.setUint16(2 + i * 2, text.charCodeAt(i), !bigEndian);
  return bytes;
}

const textWithoutNul = fc
  .string({ unit: "grapheme", maxLength: 60 })
  .map((text) => text.replaceAll("\0", ""));
const utf8 = new TextEncoder();
const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

describe("TextChunkDecoder", () => {
  it("returns the same text for UTF-8 with and without a mark and UTF-16 in both byte orders", () => {
    fc.assert(
      fc.property(textWithoutNul, (tail) => {
        const text = `name,ort\n${tail}`;
        const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...utf8.encode(text)]);
        expect(decodeWhole(utf8.encode(text))).toEqual({ text, encoding: "utf-8", issue: null });
        expect(decodeWhole(marked)).toEqual({ text, encoding: "utf-8", issue: null });
        expect(decodeWhole(utf16(text, false))).toEqual({ text, encoding: "utf-16le", issue: null });
        expect(decodeWhole(utf16(text, true))).toEqual({ text, encoding: "utf-16be", issue: null });
      }),
    );
  });

  it("returns the same text and issue for arbitrary bytes and any chunk sizes", () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => utf8.encode(text)),
      fc.constantFrom(
        new Uint8Array([0xff, 0xfe]),
        new Uint8Array([0xfe, 0xff, 0xd8, 0, 0xdc, 0]),
        new Uint8Array([0xef, 0xbb, 0xbf]),
        new Uint8Array([0xed, 0xa0, 0x80]),
      ),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 6 }),
        fc.array(fc.nat(20), { maxLength: 20 }),
        (pieces, cuts) => {
          const bytes = new Uint8Array(pieces.flatMap((part) => [...part]));
          const decoder = new TextChunkDecoder();
          let text = "";
          let from = 0;
          for (const cut of cuts) {
            text += decoder.push(bytes.subarray(from, from + cut));
            from += cut;
          }
          text += decoder.push(bytes.subarray(Math.min(from, bytes.length)));
          text += decoder.finish();
          expect({ text, encoding: decoder.encoding, issue: decoder.issue }).toEqual(decodeWhole(bytes));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("reports the first invalid byte after text of any length", () => {
    fc.assert(
      fc.property(textWithoutNul, fc.constantFrom(0xff, 0xc0, 0x80), (text, bad) => {
        const good = utf8.encode(`éabcdefgh${text}`);
        const result = decodeWhole(new Uint8Array([...good, bad, 0x41]));
        expect(result.text).toBe(`éabcdefgh${text}`);
        expect(result.issue).toMatchObject({ code: "invalid_encoding", byteOffset: good.length });
      }),
    );
  });

  it.each([
    ["windows-1252", "Stadt;Größe\nKöln;1", latin1("Stadt;Größe\nKöln;1")],
    ["windows-1252", "métro,été", latin1("métro,été")],
    ["windows-1252", "5 €", Uint8Array.of(0x35, 0x20, 0x80)],
    ["shift_jis", "日付,東京", Uint8Array.of(0x93, 0xfa, 0x95, 0x74, 0x2c, 0x93, 0x8c, 0x8b, 0x9e)],
  ])("finds %s in %s", (encoding, text, bytes) => {
    const padded = new Uint8Array([...utf8.encode("an ASCII header\n"), ...bytes]);
    expect(decodeWhole(padded)).toEqual({ text: `an ASCII header\n${text}`, encoding, issue: null });
  });

  it("reads the given encoding, and reports where the bytes are not of it", () => {
    const decoder = new TextChunkDecoder("shift_jis");
    const text =
      decoder.push(Uint8Array.of(...utf8.encode("abcdefghijklmnop"), 0x93)) +
      decoder.push(Uint8Array.of(0xfa));
    expect([text, decoder.finish(), decoder.issue]).toEqual(["abcdefghijklmnop日", "", null]);
    decoder.push(Uint8Array.of(0x93, 0x2c));
    expect(decoder.issue).toMatchObject({
      code: "invalid_encoding",
      message: expect.stringContaining("`encoding`"),
    });
  });

  it.each([
    ["windows-1250", "a,Łódź", Uint8Array.of(0x61, 0x2c, 0xa3, 0xf3, 0x64, 0x9f), "windows-1250"],
    ["windows-1250", "Łódź from a download", utf8.encode("Łódź from a download"), "utf-8"],
    ["windows-1250", "a file of ASCII", utf8.encode("a file of ASCII"), "windows-1250"],
    ["windows-1250", "\ufeffLódz", utf8.encode("\ufeffLódz"), "utf-8"],
    ["windows-1250", "Łódź in UTF-16", utf16("Łódź in UTF-16", false), "utf-16le"],
    ["utf-16le", "Łódź without a mark", utf16("Łódź without a mark", false).subarray(2), "utf-16le"],
    ["utf-16le", "a file of ASCII", utf8.encode("a file of ASCII"), "utf-8"],
    ["utf-8", "Łódź", utf8.encode("Łódź"), "utf-8"],
  ])("reads a further file of %s: %s", (stored, text, bytes, encoding) => {
    for (const size of [1, 3, bytes.length]) {
      const decoder = new TextChunkDecoder(stored, true);
      let read = "";
      for (let from = 0; from < bytes.length; from += size)
        read += decoder.push(bytes.subarray(from, from + size));
      read += decoder.finish();
      expect([read, decoder.encoding, decoder.issue]).toEqual([text.replace("\ufeff", ""), encoding, null]);
    }
  });

  it("detects the encoding of a further file beside a dataset of UTF-8", () => {
    const decoder = new TextChunkDecoder("utf-8", true);
    expect([decoder.push(latin1("Köln")) + decoder.finish(), decoder.encoding]).toEqual([
      "Köln",
      "windows-1252",
    ]);
  });

  it("rejects a further file that is not in the stored encoding, and does not offer another one", () => {
    const decoder = new TextChunkDecoder("shift_jis", true);
    decoder.push(Uint8Array.of(0x61, 0xfd, 0x62));
    decoder.finish();
    expect(decoder.issue).toMatchObject({ code: "invalid_encoding" });
    expect(decoder.issue!.message).toMatch(/Files of this dataset .* Save the file as UTF-8\.$/);
  });

  it.each([
    ["gzip", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0], "compressed_file"],
    ["zip and xlsx", [0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8], "compressed_file"],
    ["zstd", [0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0], "compressed_file"],
    ["xls", [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], "unsupported_encoding"],
    ["NUL", [0x61, 0x2c, 0x62, 0x0a, 0x31, 0x2c, 0, 0x32], "nul_character"],
    ["UTF-16 without a mark", [0x61, 0, 0x2c, 0, 0x62, 0, 0x0a, 0], "nul_character"],
    ["a lone surrogate", [0xff, 0xfe, 0x61, 0, 0x0a, 0, 0x00, 0xdc, 0x61, 0], "invalid_encoding"],
    ["half a UTF-16BE character", [0xfe, 0xff, 0, 0x61, 0, 0x0a, 0, 0x61, 0], "invalid_encoding"],
    ["half a UTF-16 character", [0xff, 0xfe, 0x61, 0, 0x0a, 0, 0x61, 0, 0x62], "invalid_encoding"],
    ["a cut UTF-8 character", [0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0xe2, 0x82], "invalid_encoding"],
  ])("rejects %s", (_, bytes, code) => {
    expect(decodeWhole(new Uint8Array(bytes)).issue?.code).toBe(code);
  });
});
