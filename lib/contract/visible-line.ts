import { z } from "zod";

/** Control characters, and line and paragraph separators. NUL has its own issue (`textIssues`). */
const BREAKING = /(?!\0)[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Invisible format characters, except the joiners that some scripts and emoji need. */
const INVISIBLE = /(?![\u200C\u200D])\p{Cf}/u;
/** The flags of England, Scotland and Wales, whose letters are invisible characters. */
const FLAGS =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu;
/** A character that leaves ink: no space, control, mark or blank letter. */
const VISIBLE = /[^\p{Z}\p{C}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/u;

/** Returns the problem of a name that people read in lists; null for visible text on one line in the form NFC. */
export function problemOfLine(text: string): string | null {
  if (BREAKING.test(text)) return "Use one line without control characters";
  if (INVISIBLE.test(text.replace(FLAGS, ""))) return "Remove the invisible characters";
  if (text !== "" && !VISIBLE.test(text)) return "Use at least one visible character";
  return text === text.normalize("NFC") ? null : "Use the composed form of accented letters (Unicode NFC)";
}

/** Name that people read in lists: visible text on one line. Spaces at its ends are removed. */
export const visibleLine = (min: number, max: number) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .superRefine((text, { addIssue }) => {
      const message = problemOfLine(text);
      if (message !== null) addIssue({ code: "custom", message });
    });
