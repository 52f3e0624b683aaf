import type { IssueCode } from "./issues.ts";
import { looksMissing, unitOf } from "./units.ts";

/** Powers of ten that float64 holds exactly. A quotient of two exact values is correctly rounded. */
export const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * Reads a plain decimal number: optional sign, digits, one decimal mark, optional exponent. The text has no
 * surrounding white space. Returns NaN for anything else: the empty text, `NaN`, `Inf`, hexadecimal, digit grouping,
 * or a value beyond float64. Equals `Number(text)` to the bit for every valid number.
 */
export function readNumber(text: string, decimalComma: boolean): number {
  const length = text.length;
  const mark = decimalComma ? 44 : 46;
  let i = 0;
  const sign = text.charCodeAt(0);
  if (sign === 45 || sign === 43) i = 1;
  let mantissa = 0;
  let digits = 0;
  let scale = 0;
  const start = i;
  for (; i < length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) break;
    mantissa = mantissa * 10 + digit;
  }
  digits = i - start;
  if (i < length && text.charCodeAt(i) === mark) {
    i++;
    const fraction = i;
    for (; i < length; i++) {
      const digit = text.charCodeAt(i) - 48;
      if (digit < 0 || digit > 9) break;
      mantissa = mantissa * 10 + digit;
    }
    scale = i - fraction;
    digits += scale;
  }
  if (digits === 0) return Number.NaN;
  if (i < length) {
    if (!EXPONENT.test(text.slice(i))) return Number.NaN;
  } else if (digits <= 15) {
    const value = mantissa / POWERS_OF_TEN[scale]!;
    return sign === 45 ? -value : value;
  }
  const value = Number(decimalComma ? text.replace(",", ".") : text);
  return Number.isFinite(value) ? value : Number.NaN;
}

const EXPONENT = /^e[-+]?\d+$/i;
const NOT_FINITE = /^[+-]?(nan|inf|infinity)$/i;
const HEXADECIMAL = /^[+-]?0[xbo][0-9a-f]+$/i;
const PLAIN = /^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/i;
/** The minus sign of typography, which tables on web pages and in PDF files have. */
const MINUS = /^\u2212\s?(?=[\d.,])/;
const IN_PARENTHESES = /^\([\d.,][\d.,' \u2019\u00a0\u2009\u202f]*\)$/;
const GROUPED = /^[+-]?\d{1,3}([.,' \u2019\u00a0\u2009\u202f]\d{3})+([.,]\d+)?$/;

const READ_AS_MISSING = ". To read it as a missing value, add it to the dataset's missing values (`missing`)";

type Explanation = { code: IssueCode; reason: string };

/** Explains why `readNumber` rejected a text. `reason` continues the sentence that starts with the value. */
export function explainNotANumber(text: string, decimalComma: boolean): Explanation {
  const attempt = explainAttempt(text, decimalComma);
  if (attempt !== null) return attempt;
  if (looksNegative(text, decimalComma)) {
    const reason =
      "must have a minus sign in place of the parentheses, unless the dataset's numberFormats name the format of the column (or its categories name the column, to keep texts)";
    return { code: "not_a_number", reason };
  }
  if (unitOf(text) !== null) {
    const reason =
      "has a currency or unit. Write a plain number, or name the format of the column in the dataset's numberFormats (or the column in its categories, to keep texts)";
    return { code: "number_with_unit", reason };
  }
  if (looksMissing(text)) return { code: "not_a_number", reason: `is not a number${READ_AS_MISSING}` };
  return { code: "not_a_number", reason: "is not a number" };
}

/** Explains an invalid attempt at a number without a unit; null for other texts. */
function explainAttempt(text: string, decimalComma: boolean): Explanation | null {
  if (NOT_FINITE.test(text)) {
    const reason = `is not a finite number${looksMissing(text) ? READ_AS_MISSING : ""}`;
    return { code: "not_finite", reason };
  }
  if (HEXADECIMAL.test(text)) return { code: "hexadecimal_number", reason: "is not written in decimal" };
  const otherMark = decimalComma ? "." : ",";
  if (PLAIN.test(text) && !text.includes(otherMark)) {
    return { code: "number_out_of_range", reason: "exceeds the range of a 64-bit float" };
  }
  if (MINUS.test(text) && looksNumeric(text.replace(MINUS, "-"), decimalComma)) {
    const reason =
      "must have a hyphen as minus sign, unless the dataset's numberFormats name the format of the column";
    return { code: "not_a_number", reason };
  }
  if (!GROUPED.test(text) && !PLAIN.test(text)) return null;
  const mark = decimalComma ? "a comma" : "a point";
  const reason = `must use ${mark} as decimal mark and no digit grouping, unless the dataset's numberFormats name the format of the column`;
  return { code: "digit_grouping", reason };
}

/** Returns whether a text is a number or an invalid attempt at one. Such texts make a column numeric. */
export function looksNumeric(text: string, decimalComma: boolean): boolean {
  return !Number.isNaN(readNumber(text, decimalComma)) || explainAttempt(text, decimalComma) !== null;
}

/** Returns whether a text is a negative number as accounts write it, such as `(1,234.50)`. */
export function looksNegative(text: string, decimalComma: boolean): boolean {
  return IN_PARENTHESES.test(text) && looksNumeric(text.slice(1, -1), decimalComma);
}
