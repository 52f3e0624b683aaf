import { z } from "zod";

/** Control characters, and line and paragraph separators. NUL has its own issue (`textIssues`). */
const BREAKING = /(?!\0)[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Invisible format characters, except the joiners that some scripts and emoji need. */
const INVISIBLE = /(?![\u200C\u200D])\p{Cf}/u;
/** A character that leaves ink: no space, control, mark or blank letter. */
const VISIBLE = /[^\p{Z}\p{C}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/u;

/** Returns the problem of a name that people read in lists; null for visible text on one line in the form NFC. */
export function problemOfLine(text: string): string | null {
  if (BREAKING.test(text)) return "Use one line without control characters";
  if (INVISIBLE.test(text)) return "Remove the invisible characters";
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
