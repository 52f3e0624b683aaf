import fc from "fast-check";
import { expect, test } from "vitest";
import { problemOfLine, visibleLine } from "./visible-line.ts";

test.each([
  ["a zero-width space alone", "\u200B"],
  ["a right-to-left override", "abc\u202Edef"],
  ["an escape character", "a\u001B[31mb"],
  ["a backspace", "a\bb"],
  ["a line break", "a\nb"],
  ["a line separator", "a\u2028b"],
  ["a tab", "a\tb"],
  ["a Hangul filler alone", "\u3164"],
  ["a combining mark alone", "\u0301"],
  ["a decomposed letter", "e\u0301"],
  ["text hidden in tag characters", "a\u{E0061}\u{E0062}"],
  ["text hidden behind a flag", "🏴\u{E0061}\u{E0062}\u{E007F}"],
  ["a soft hyphen", "a\u00ADb"],
])("rejects %s", (_, text) => {
  expect(problemOfLine(text)).not.toBeNull();
  expect(visibleLine(1, 100).safeParse(text).success).toBe(false);
});

test.each([
  "Winter 2026",
  "é",
  "田中さん",
  "مناقشة سبل",
  "👩‍👩‍👧‍👦 🏳️‍🌈",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿",
  "a\u00A0b",
  "नमस्ते",
  "می‌خواهم",
  "'; DROP TABLE --",
])("accepts %s", (text) => {
  expect(visibleLine(1, 100).parse(` ${text} `)).toBe(text);
});

test("never rewrites what it accepts", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 40 }), (text) => {
      const parsed = visibleLine(0, 100).safeParse(text);
      if (parsed.success) expect(parsed.data).toBe(text.trim());
      else expect(parsed.error.issues).toHaveLength(1);
    }),
  );
});
