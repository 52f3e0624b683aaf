import { readNumber } from "./numbers.ts";

/**
 * Characters that make a spreadsheet run a text: the signs, also full-width, and the characters skipped before them.
 */
const SIGNS = "=+\\-@\\t\\r\\n＝＋－＠";
/**
 * Places where a cell may begin: the start of the text and, for programs that split a file at other delimiters than the
 * comma, each of these. Excel splits at `;` where the decimal separator is a comma, and ignores quotes after a comma. So
 * it reads `x,"a;=1+1"` as two cells. The second one is a formula.
 */
const BEGINS = "(^|[;|\\t\\r\\n])";
const RISKY = new RegExp(`${BEGINS}(?=['"]*[${SIGNS}])`, "g");
const ESCAPED = new RegExp(`${BEGINS}'(?=['"]*[${SIGNS}])`, "g");

/**
 * Prefixes an apostrophe to each part of a text that a spreadsheet would run as a formula: `a;=1+1` becomes `a;'=1+1`.
 * Numbers such as -1.5 and -1,5 stay unchanged. A text that already looks escaped gets another apostrophe, so distinct
 * texts stay distinct.
 */
export function escapeFormula(text: string): string {
  const escaped = text.replace(RISKY, "$1'");
  if (escaped === text) return text;
  const isNumber = [false, true].some((decimalComma) => !Number.isNaN(readNumber(text, decimalComma)));
  return isNumber ? text : escaped;
}

/** Reverses `escapeFormula`, so an exported file reads back unchanged. */
export function unescapeFormula(text: string): string {
  return text.includes("'") ? text.replace(ESCAPED, "$1") : text;
}
