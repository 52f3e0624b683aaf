import type { FeatureEngineering } from "#lib/contract/models";
import type { RowPredictor } from "./row-predictor.ts";

/** How predictions depend on the target: on its known values, and on predictions of earlier rows. */
export type LookBack = Pick<RowPredictor, "readsTarget" | "rowsBuildOnEachOther">;

/** Returns how a model looks back by its stored description. Older models are recognised by their steps. */
export function describedLookBack(description: FeatureEngineering): LookBack {
  const hasLags = description.steps.some(({ op }) => op === "lag" || op === "rolling" || op === "difference");
  const { rowsBuildOnEachOther = hasLags, readsTarget = rowsBuildOnEachOther } = description;
  return { readsTarget, rowsBuildOnEachOther };
}
