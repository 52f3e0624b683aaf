import type { Shown } from "#components/display/shown.ts";
import { formatSigned } from "#components/ui/format.ts";
import type { Comparison } from "#lib/contract/scenario-series";

type Amount = NonNullable<Comparison["differs"]["inputs"][number]["amounts"]>[number];

/** Describes by how much an input differs from the baseline: "+5 °C", or "−1 to +4, mean +2.5 °C". */
export function amountText({ min, max, mean }: Pick<Amount, "min" | "max" | "mean">, input: Shown): string {
  // Differences of decimal numbers have rounding errors.
  if (input.format(min) === input.format(max)) return input.withUnit(input.signed(mean));
  const [low, high, middle] = [min, max, mean].map((one) => formatSigned(one, input.formatOf([min, max])));
  return input.withUnit(`${low} to ${high}, mean ${middle}`);
}
