import type { Table } from "#lib/contract/table";
import { numericValues } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { buildFeatures, type FeatureMatrix } from "./build-features.ts";
import { orderedMeans } from "./category-steps.ts";
import { categoryColumn } from "./column-outputs.ts";
import { filled } from "./output.ts";
import type { FeaturePipeline } from "./pipeline.ts";
import type { TargetHistory } from "./target-history.ts";

/**
 * Builds the model inputs of rows `from` to `to` of the table that the pipeline was fitted on, for training. Equals
 * `buildFeatures`, except that a target encoding reads only the preceding rows (see `orderedMeans`).
 */
export function trainingFeatures(
  pipeline: FeaturePipeline,
  table: Table,
  { from, to, history }: { from: number; to: number; history?: TargetHistory | undefined },
): FeatureMatrix {
  const before = sliceRows(table, 0, to);
  return buildFeatures(pipeline, sliceRows(table, from, to), history, (_, { feature, unseen, fill }) => {
    const targets = numericValues(before, pipeline.target);
    const means = orderedMeans(categoryColumn(before, feature), targets, unseen);
    return Float32Array.from(means.subarray(from), (value) => filled(value, fill));
  });
}
