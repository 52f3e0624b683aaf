import type { Table } from "#lib/contract/table";
import type { FeatureMatrix } from "#lib/ml/features/build-features";
import { fitPipeline } from "#lib/ml/features/fit-pipeline";
import type { FeaturePipeline } from "#lib/ml/features/pipeline";
import { trainingFeatures as learnedFeatures } from "#lib/ml/features/training-features";
import type { CandidateContext, CandidateSpec } from "./learner.ts";

/** Feature steps fitted on the given rows. */
export function fitCandidatePipeline(
  context: CandidateContext,
  { family, set }: Pick<CandidateSpec, "family" | "set">,
  table: Table,
): FeaturePipeline {
  // The value of a season ago is all that the naive forecast looks at.
  const naive = family === "seasonal_naive";
  return fitPipeline({
    table,
    target: context.target,
    timestamp: context.timestamp,
    timezone: context.timezone,
    grid: context.data.grid,
    inputs: naive ? [] : context.data.inputs,
    missing: context.missing,
    upstream: context.upstream,
    calendar: !naive && context.calendar,
    lags: set.lags,
    rolling: set.rolling,
    ...(naive ? {} : context.extra),
    family: family === "gradient_boosting" ? "trees" : "linear",
  });
}

/** Model inputs of the table's rows from `from` on, every lag read from what was observed. */
export function trainingFeatures(
  { known }: CandidateContext,
  pipeline: FeaturePipeline,
  table: Table,
  from: number,
): FeatureMatrix {
  const history = known ? { firstIndex: known.firstIndex, observed: known.observed } : undefined;
  return learnedFeatures(pipeline, table, { from, to: table.rowCount, history });
}
