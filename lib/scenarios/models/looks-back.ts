import type { FeatureEngineering } from "#lib/contract/models";

/** Whether a model reads earlier values of its own target, so that later rows build on predictions of earlier ones. */
export function looksBack({ steps }: FeatureEngineering): boolean {
  return steps.some(({ op }) => op === "lag" || op === "rolling" || op === "difference");
}
