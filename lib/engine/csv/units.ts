/** Currency codes that may stand before a number. Other letters before digits are mostly identifiers. */
const currencyCodes =
  "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR JPY KRW MXN MYR NOK NZD PHP PLN RON RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR".replaceAll(
    " ",
    "|",
  );

const DIGITS = "(?:\\d(?:[\\d.,'\\u2019 \\u00a0\\u2009\\u202f]*\\d)?[.,]?|[.,]\\d+)";
const BEFORE = `(?:[A-Z]{0,3}\\p{Sc}|kr\\.?|Fr\\.|${currencyCodes})`;
const AFTER = "[%‰°\\p{Sc}\\p{L}](?:[\\p{L}\\p{Sc}%°²³µ/. ]{0,14}[\\p{L}\\p{Sc}%²³.])?";
const SIGN = "[-+\\u2212]?";
const WITH_UNIT = new RegExp(
  `^\\(?${SIGN}\\s*(?:(${BEFORE})\\s*${SIGN}${DIGITS}|${DIGITS}\\s*(${AFTER}))\\)?$`,
  "u",
);
/** Exponents and halves of the day are no units. */
const NO_UNIT = /^(?:e|am|pm|a\.m\.|p\.m\.)$/i;

/** Returns the currency, percent sign or unit of a text such as `$1,234.50`, `5 %` or `12 kg`; null for other texts. */
export function unitOf(text: string): string | null {
  const match = WITH_UNIT.exec(text);
  const unit = match?.[1] ?? match?.[2];
  return unit === undefined || NO_UNIT.test(unit) ? null : unit;
}

/** Returns the most frequent unit of the texts, and the number of texts that have it. Null without any. */
export function commonUnit(texts: readonly string[]): { unit: string; count: number } | null {
  // Most texts repeat, and a lookup costs less than the expression.
  const units = new Map<string, string | null>();
  const counts = new Map<string, number>();
  for (const text of texts) {
    let unit = units.get(text);
    if (unit === undefined) {
      unit = unitOf(text);
      units.set(text, unit);
    }
    if (unit !== null) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  let common: { unit: string; count: number } | null = null;
  for (const [unit, count] of counts) if (common === null || count > common.count) common = { unit, count };
  return common;
}

/** Returns whether the unit is a currency sign, with letters before it or not. */
export const isCurrencySign = (unit: string) => /^[A-Z]{0,3}\p{Sc}$/u.test(unit);

/** Numbers that mean a missing value in many files. */
export const KNOWN_CODE = /^-?(?:9{3,}(?:\.9+)?|9{2}\.9+|1e\+?(?:20|30))$/;

const MISSING_TEXTS = new Set(
  "NA N/A n/a #N/A NULL null None - -- – — ? . .. ... * ** *** n.a. n.d. ND NaN nan NAN #NV :".split(" "),
);

/** Returns whether files often mark a missing value with this text. Only the dataset's `missing` makes it one. */
export const looksMissing = (text: string) =>
  text.length <= 4 && !(text[0]! >= "0" && text[0]! <= "9") && MISSING_TEXTS.has(text);
