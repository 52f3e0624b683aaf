/** Digits that are exact in every number. */
const PLAIN = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const GROUPED = /^-?\d{1,3}\.\d{3}$/;

/** Returns a number as a cell of a CSV. */
export const numberCell = (value: number): string =>
  Object.is(value, -0) ? "-0" : (numberText(String(value)) ?? String(value));

/** Returns a number as text that no reader takes for a group of three digits: 1.056 is 1.0560. Null for other texts. */
export function numberText(value: string): string | null {
  const isPlain = value.length <= 16 && PLAIN.test(value);
  if (!isPlain && !Number.isFinite(Number(value || "x"))) return null;
  const text = isPlain || /^-?\d+$/.test(value) ? value : String(Number(value));
  return GROUPED.test(text) ? `${text}0` : text;
}
