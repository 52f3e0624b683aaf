import { suffixedTitle } from "#components/form/suffixed-title.ts";
import type { Adjustment } from "#lib/contract/scenarios";

/** Maximum number of changes that a title names. */
const NAMED_MAX = 2;

const signed = (value: number) => (value < 0 ? `−${-value}` : `+${value}`);

/** Describes one change as in a title: "price +10 %", "wind −2", "weather rain". */
function stepText(
  { feature, operation, value, from, to, where }: Adjustment,
  nameOf: (feature: string) => string,
) {
  const name = nameOf(feature);
  const inPart = from || to || (where?.length ?? 0) > 0 ? " in part" : "";
  if (typeof value !== "number" || operation === "set") return `${name} ${value}${inPart}`;
  if (operation === "add") return `${name} ${signed(Number(value.toPrecision(6)))}${inPart}`;
  return `${name} ${signed(Number((100 * (value - 1)).toPrecision(6)))} %${inPart}`;
}

/**
 * Describes changes as the end of a title: "price +10 %, wind −2 and 1 more change".
 *
 * @param nameOf returns the display name of a feature
 */
export function changeText(steps: readonly Adjustment[], nameOf: (feature: string) => string): string {
  const named = steps.slice(0, NAMED_MAX).map((step) => stepText(step, nameOf));
  const more = steps.length - named.length;
  return more === 0
    ? named.join(", ")
    : `${named.join(", ")} and ${more} more ${more === 1 ? "change" : "changes"}`;
}

/** Returns the title with a suffix, and with a number if another scenario has it. */
export function distinctTitle(title: string, suffix: string, taken: readonly string[]): string {
  const numbered = (number: number) => suffixedTitle(title, number === 1 ? suffix : `${suffix} (${number})`);
  for (let number = 1; ; number++) if (!taken.includes(numbered(number))) return numbered(number);
}
