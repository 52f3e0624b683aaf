import type { Table } from "#lib/contract/table";
import { readLinkedTrees } from "#lib/engine/onnx/read-trees";
import { INPUT_NAME, OUTPUT_NAME } from "#lib/engine/onnx/write-model";
import { bindInputs, float32Values } from "#lib/engine/runtime/bindings";
import { chooseOutput } from "#lib/engine/runtime/outputs";
import type { TensorInfo } from "#lib/engine/runtime/tensor-info";
import { type EnsembleEvaluator, evaluatorOf } from "#lib/engine/trees/evaluate-ensemble";
import type { FeatureContributions } from "./contributions.ts";
import { explanationCost, treeContributions } from "./imported-contributions.ts";
import type { ModelUse } from "./model-runner.ts";

/** The trees of an ONNX file that `treesToOnnx` wrote, as this service's own code uses them. */
export type OwnTrees = {
  /** Predicts with the same bits as ONNX Runtime; null if the file's trees or link need the runtime. */
  predict: ((table: Table) => Float64Array) | null;
  /** Returns exact contributions; null if the trees cannot be explained. */
  explain: ((table: Table, predictions: Float64Array) => Promise<FeatureContributions>) | null;
  /** Steps that the explanation of a row takes. */
  explanationCost: number;
  evaluator: EnsembleEvaluator | null;
};

/** Returns null for every file that `treesToOnnx` did not write. */
export function ownTrees(bytes: Uint8Array, { bindings, choice }: ModelUse): OwnTrees | null {
  const trees = readLinkedTrees(bytes);
  if (trees === null) return null;
  const { ensemble, link } = trees;
  const isOwn = (link === "none" || link === "nonNegative") && !choice.column;
  const evaluator = isOwn ? evaluatorOf({ ensemble, nonNegative: link === "nonNegative" }) : null;
  const float = { elementType: "float32", batch: null };
  const input: TensorInfo = { ...float, name: INPUT_NAME, shape: ["N", ensemble.featureCount] };
  const output: TensorInfo = { ...float, name: OUTPUT_NAME, shape: ["N", 1] };
  const cost = explanationCost(ensemble);
  return {
    predict:
      evaluator &&
      ((table) => {
        chooseOutput([output], choice);
        const columns = bindings === null ? table.columns : bindInputs([input], table, bindings)[0]!.places;
        return evaluator.predict(columns.map(float32Values), table.rowCount);
      }),
    explain:
      cost === null || bindings === null
        ? null
        : (table, predictions) => treeContributions(trees, bindings, table, predictions),
    explanationCost: cost ?? 0,
    evaluator,
  };
}
