import type { Model } from "#lib/contract/models";

/** Returns whether the model's accuracy suggests that an input gives the target away. */
export function isTooGood({ warnings }: Pick<Model, "warnings">): boolean {
  return warnings.some(({ code }) => code === "too_good");
}
