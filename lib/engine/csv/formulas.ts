import { readNumber } from "./numbers.ts";

/**
 * Characters that make a spreadsheet run a text: the signs, also full-width, and the characters skipped before them.
 */
const SIGNS = "=+\\-@\\t\\r\\n＝＋－＠";
const RISKY = new RegExp(`^'*[${SIGNS}]`);
const ESCAPED = new RegExp(`^'+[${SIGNS}]`);

/**
 * Prefixes an apostrophe to a text that a spreadsheet would run as a formula. Numbers such as -1.5 and -1,5 stay unchanged.
 * A text that already looks escaped gets another apostrophe, so distinct texts stay distinct.
 */
export function escapeFormula(text: string): string {
  if (!RISKY.test(text)) return text;
  const isNumber = [false, true].some((decimalComma) => !Number.isNaN(readNumber(text, decimalComma)));
  return isNumber ? text : `'${text}`;
}

/** Reverses `escapeFormula`, so an exported file reads back unchanged. */
export function unescapeFormula(text: string): string {
  return text.charCodeAt(0) === 39 && ESCAPED.test(text) ? text.slice(1) : text;
}
