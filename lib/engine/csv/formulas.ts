import { readNumber } from "./numbers.ts";

/** What makes a spreadsheet run a text: the signs, also as wide as ideographs, and what it skips before them. */
const SIGNS = "=+\\-@\\t\\r\\n＝＋－＠";
const RISKY = new RegExp(`^'*[${SIGNS}]`);
const ESCAPED = new RegExp(`^'+[${SIGNS}]`);

/**
 * Puts an apostrophe before a text that a spreadsheet would take for a formula; a number such as -1.5 is none. A text
 * that already looks so escaped gets another one, so that every text can be told from every other.
 */
export function escapeFormula(text: string): string {
  return RISKY.test(text) && Number.isNaN(readNumber(text, false)) ? `'${text}` : text;
}

/** The text that `escapeFormula` was given: what is exported and read again stays the same. */
export function unescapeFormula(text: string): string {
  return text.charCodeAt(0) === 39 && ESCAPED.test(text) ? text.slice(1) : text;
}
