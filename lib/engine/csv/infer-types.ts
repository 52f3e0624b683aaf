import type { ColumnType } from "#lib/contract/table";
import { looksNumeric } from "./numbers.ts";
import { looksLikeTime } from "./timestamps.ts";

/** `true` and `false` in any case: what makes a column boolean by itself. */
function isBooleanWord(text: string): boolean {
  const lower = text.toLowerCase();
  return lower === "true" || lower === "false";
}

/**
 * The type of a column by the values seen first (none of them missing). More than half numbers make it a
 * number, more than half dates a timestamp: the others are then faults, named with their rows, and not a
 * reason to read the whole column as text. Boolean only if all are. No values: number.
 */
export function inferType(sample: readonly string[], decimalComma: boolean): ColumnType {
  let numbers = 0;
  let booleans = 0;
  let times = 0;
  for (const text of sample) {
    if (looksNumeric(text, decimalComma)) numbers++;
    else if (isBooleanWord(text)) booleans++;
    else if (looksLikeTime(text)) times++;
  }
  if (booleans > 0 && booleans === sample.length) return "boolean";
  if (numbers * 2 > sample.length || sample.length === 0) return "number";
  if (times * 2 > sample.length) return "timestamp";
  return "category";
}
