import { TARGET_NEEDED } from "#lib/contract/classes";
import { shorten } from "./issues.ts";
import { unitOf } from "./units.ts";

const SHOWN = 3;
const RANGE = /^\d[\d.,]*\s?(?:-|–|to|bis)\s?\d[\d.,]*$/i;

/** Returns why a target of texts with numbers cannot be read, with some of them; null if few texts have digits. */
export function mixedTextsIssue(target: string, texts: readonly string[]): string | null {
  const withDigits = texts.filter((text) => /\d/.test(text));
  if (withDigits.length * 2 <= texts.length || texts.length < 3) return null;
  const units = [...new Set(texts.flatMap((text) => unitOf(text) ?? []))];
  const ranges = texts.filter((text) => RANGE.test(text));
  const [kind, advice, shown] =
    units.length > 1
      ? [
          `numbers with ${units.length} units (${units.slice(0, SHOWN).join(", ")})`,
          "Write all values in one unit",
          texts,
        ]
      : ranges.length > 0
        ? ["ranges", "Write one number for each range, such as its middle", ranges]
        : [
            "texts and numbers",
            "Write numbers only, or exclude those rows",
            [...withDigits.slice(0, 2), ...texts.filter((text) => !/\d/.test(text))],
          ];
  const cells = shown
    .slice(0, SHOWN)
    .map((text) => `"${shorten(text)}"`)
    .join(", ");
  return `The target "${shorten(target)}" ${TARGET_NEEDED}; its column holds ${kind}, such as ${cells}. ${advice}.`;
}
