import type { Table } from "#lib/contract/table";
import { batchRows } from "#lib/engine/runtime/batch-rows";
import { selectColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import type { EnsembleProgram } from "#lib/engine/trees/evaluate-ensemble";
import type { FeatureContributions } from "./contributions.ts";
import type { ModelRunner, ModelUse } from "./model-runner.ts";
import { type OwnTrees, ownTrees } from "./own-trees.ts";

/** An ONNX file ready to predict. */
export type OnnxModel = {
  predict(table: Table): Promise<Float64Array>;
  /** Returns exact contributions; null for a model whose structure is unknown. */
  explain(table: Table, predictions: Float64Array): Promise<FeatureContributions | null>;
  /** Returns the evaluation as plain data for another thread; null if it needs a process. */
  program(): EnsembleProgram | null;
};

/** Largest file whose trees are read here. Reading takes about 40 ms, and evaluating a row 5 µs. */
const OWN_BYTES_MAX = 2 << 20;
/** Steps for the contributions of one row, about 50 ms: 400 trees of 256 leaves and depth 12, for example. */
const OWN_EXPLANATION_MAX = 2_000_000;
/** Rows per call for contributions. A row visits every node several times. */
const EXPLAINED_ROWS = 16;

/**
 * Opens an ONNX file that this service did not train. This thread evaluates small tree models with the bits of ONNX
 * Runtime. The runner runs all other models, because a file is a program that may take any time and memory.
 */
export function openOnnxModel(bytes: Uint8Array, use: ModelUse, runner: ModelRunner): OnnxModel {
  const own = bytes.length <= OWN_BYTES_MAX ? ownTrees(bytes, use) : null;
  if (own && own.predict !== null && own.explanationCost <= OWN_EXPLANATION_MAX) {
    return modelOfTrees({ ...own, predict: own.predict });
  }
  const model = { use, size: bytes.length };
  const names = use.bindings && new Set(use.bindings.map(({ feature }) => feature));
  const read = (table: Table) =>
    names
      ? selectColumns(
          table,
          table.columns.map(({ name }) => name).filter((name) => names.has(name)),
        )
      : table;
  return {
    async predict(table) {
      const inputs = read(table);
      const step = batchRows(inputs.columns.length);
      const predictions = new Float64Array(table.rowCount);
      for (let start = 0; start < table.rowCount; start += step) {
        const part = sliceRows(inputs, start, start + step);
        predictions.set(await runner(model, { kind: "predict", table: part, rowsBefore: start }), start);
      }
      return predictions;
    },
    async explain(table, predictions) {
      const inputs = read(table);
      const explain = (start: number) =>
        runner(model, {
          kind: "explain",
          table: sliceRows(inputs, start, start + EXPLAINED_ROWS),
          predictions: predictions.slice(start, start + EXPLAINED_ROWS),
        });
      const all = await explain(0);
      for (let start = EXPLAINED_ROWS; all !== null && start < table.rowCount; start += EXPLAINED_ROWS)
        all.values.push(...(await explain(start))!.values);
      return all;
    },
    program: () => null,
  };
}

function modelOfTrees({
  predict,
  explain,
  evaluator,
}: OwnTrees & { predict: (table: Table) => Float64Array }) {
  return {
    predict: async (table: Table) => predict(table),
    explain: async (table: Table, predictions: Float64Array) =>
      explain && (await explain(table, predictions)),
    program: () => evaluator!.program(),
  };
}
