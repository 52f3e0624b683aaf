import type { ColumnType } from "#lib/contract/table";
import { looksNegative, looksNumeric } from "./numbers.ts";
import { looksLikeTime } from "./timestamps.ts";
import { commonUnit, looksMissing } from "./units.ts";

/** Returns whether a text is `true` or `false` in any case. Such texts make a column boolean. */
function isBooleanWord(text: string): boolean {
  const lower = text.toLowerCase();
  return lower === "true" || lower === "false";
}

/**
 * Infers a column's type from its first values, none of them missing. A majority of numbers makes the column a number,
 * a majority of dates a timestamp. The other values are then issues with their rows, not a reason to read the whole
 * column as text. A column is boolean only if all values are. Without values, the type is number.
 *
 * Numbers with the same unit count as numbers, which the column's number format reads. Texts that often mark missing
 * values do not count. Negative numbers in parentheses count beside other numbers; alone, (1) and (2) are labels.
 */
export function inferType(sample: readonly string[], decimalComma: boolean): ColumnType {
  let numbers = 0;
  let negatives = 0;
  let booleans = 0;
  let times = 0;
  let marks = 0;
  const others: string[] = [];
  for (const text of sample) {
    if (looksNumeric(text, decimalComma)) numbers++;
    else if (looksNegative(text, decimalComma)) negatives++;
    else if (isBooleanWord(text)) booleans++;
    else if (looksLikeTime(text)) times++;
    else if (looksMissing(text)) marks++;
    else others.push(text);
  }
  if (booleans > 0 && booleans === sample.length) return "boolean";
  const counted = sample.length - marks;
  if (numbers > 0) numbers += negatives;
  const withUnit = numbers * 2 > counted ? 0 : (commonUnit(others)?.count ?? 0);
  if ((numbers + withUnit) * 2 > counted || sample.length === 0) return "number";
  if (times * 2 > counted) return "timestamp";
  return "category";
}
