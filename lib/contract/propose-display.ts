/** Units by the last word of a column's name. Words that often mean something else, such as `min`, have none. */
const unitsOfWords: Readonly<Record<string, string>> = {
  pct: "%",
  percent: "%",
  ppm: "ppm",
  eur: "€",
  usd: "$",
  gbp: "£",
  jpy: "¥",
  chf: "CHF",
  wh: "Wh",
  kwh: "kWh",
  mwh: "MWh",
  gwh: "GWh",
  kw: "kW",
  mw: "MW",
  gw: "GW",
  degc: "°C",
  celsius: "°C",
  degf: "°F",
  fahrenheit: "°F",
  kelvin: "K",
  mm: "mm",
  cm: "cm",
  km: "km",
  m2: "m²",
  m3: "m³",
  kg: "kg",
  kmh: "km/h",
  kph: "km/h",
  mph: "mph",
  hpa: "hPa",
  kpa: "kPa",
  mbar: "mbar",
};
/** Letters that are a unit only after the name of a temperature: `temp_c`, but not `group_c`. */
const temperatureUnits: Readonly<Record<string, string>> = { c: "°C", f: "°F", k: "K" };
const TEMPERATURE = /^(?:temp|temperature)$/i;
const knownUnits = new Set([...Object.values(unitsOfWords), ...Object.values(temperatureUnits)]);

const IDENTIFIER = /^[\p{L}\p{M}\p{N}_]+$/u;
/** A name with its unit in brackets: `Demand (MWh)`. */
const BRACKETED = /^(.*\S)\s*(?:\(([^()]+)\)|\[([^[\]]+)\])$/u;

type Proposal = { displayName: string; unit: string | null };

/**
 * Proposes the display of a column from its name: `price_eur` is "Price" in "€". Takes a unit only from known words
 * after another word, or from brackets.
 *
 * @param known unit of the dataset's number format, which takes precedence
 */
export function proposeDisplay(column: string, known?: string): Proposal {
  const isIdentifier = IDENTIFIER.test(column);
  const words = isIdentifier ? wordsOf(column) : [];
  const [name, unit] = isIdentifier ? ofWords(words) : ofText(column);
  // A word that means another unit stays in the name.
  const isKept = unit !== null && known !== undefined && known !== unit;
  return { displayName: (isKept ? sentence(words) : name) || column, unit: known ?? unit };
}

function ofWords(words: readonly string[]): [name: string, unit: string | null] {
  const before = words.slice(0, -1);
  const last = words.at(-1)?.toLowerCase() ?? "";
  const unit =
    before.length === 0
      ? null
      : (own(unitsOfWords, last) ??
        (before.some((word) => TEMPERATURE.test(word)) ? own(temperatureUnits, last) : null));
  return [sentence(unit === null ? words : before), unit];
}

function ofText(column: string): [name: string, unit: string | null] {
  const [, name, round, square] = BRACKETED.exec(column) ?? [];
  const text = (round ?? square ?? "").trim();
  const unit = knownUnits.has(text) ? text : own(unitsOfWords, text.toLowerCase());
  return unit === null ? [column, null] : [name!, unit];
}

const own = (units: Readonly<Record<string, string>>, word: string) =>
  Object.hasOwn(units, word) ? units[word]! : null;

/** Splits `snake_case` and `camelCase`. Words such as `pH` stay whole. */
function wordsOf(identifier: string): string[] {
  return identifier
    .split("_")
    .filter((word) => word !== "")
    .flatMap((word) => {
      const parts = word.split(/(?<=\p{Ll})(?=\p{Lu})/u);
      if (parts.some((part) => part.length === 1)) return [word];
      return parts.map((part, at) => (at > 0 && /^\p{Lu}\p{Ll}+$/u.test(part) ? part.toLowerCase() : part));
    });
}

/** Joins words. Capitalises the first letter, unless the first word already has a capital. */
function sentence([first = "", ...others]: readonly string[]): string {
  const start = /\p{Lu}/u.test(first) ? first : first.charAt(0).toUpperCase() + first.slice(1);
  return [start, ...others].join(" ");
}
