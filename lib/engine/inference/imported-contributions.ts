import { setImmediate } from "node:timers/promises";
import type { Table } from "#lib/contract/table";
import { treeShap } from "#lib/engine/explanation/tree-shap";
import type { Ensemble, Tree } from "#lib/engine/learners/tree";
import type { LinkedTrees } from "#lib/engine/onnx/read-trees";
import { float32Values, type InputBinding } from "#lib/engine/runtime/bindings";
import { requireColumn, selectColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { contributionsByFeature, type FeatureContributions } from "./contributions.ts";

/** Deeper trees would overflow the stack of the explanation. XGBoost's default depth is 6. */
const DEPTH_MAX = 500;
/** Rows × nodes explained before other work of the process gets its turn: about 20 ms. */
const NODES_AT_ONCE = 200_000;

/**
 * Returns the steps that the explanation of a row takes: nodes × points of the quadrature (`treeShap`), and features.
 * Returns null for trees that cannot be explained: too deep, not trees, or with negative covers.
 */
export function explanationCost(ensemble: Ensemble): number | null {
  let cost = 0;
  for (const tree of ensemble.trees) {
    const depth = explainableDepth(tree, ensemble);
    if (depth === null) return null;
    cost += tree.feature.length * (1 + depth / 2) + ensemble.featureCount;
  }
  return cost;
}

/**
 * Computes exact contributions of an imported model's trees. With a logistic link they add up to the log-odds of the
 * prediction, as XGBoost's `pred_contribs` do, otherwise to the prediction.
 */
export async function treeContributions(
  model: LinkedTrees,
  bindings: readonly InputBinding[],
  table: Table,
  predictions: Float64Array,
): Promise<FeatureContributions> {
  const sources = Array.from({ length: model.ensemble.featureCount }, (_, place) => {
    return bindings.find(({ index = 0 }) => index === place)!.feature;
  });
  const ordered = selectColumns(table, sources);
  const nodes = model.ensemble.trees.reduce((sum, tree) => sum + tree.feature.length, 0);
  const rowsAtOnce = Math.max(1, Math.floor(NODES_AT_ONCE / Math.max(1, nodes)));
  const explain = (from: number) =>
    explainRows(
      model,
      sources,
      sliceRows(ordered, from, from + rowsAtOnce),
      predictions.subarray(from, from + rowsAtOnce),
    );
  const all = explain(0);
  for (let from = rowsAtOnce; from < table.rowCount; from += rowsAtOnce) {
    await setImmediate();
    all.values.push(...explain(from).values);
  }
  return all;
}

function explainRows(
  { ensemble, link }: LinkedTrees,
  sources: string[],
  table: Table,
  predictions: Float64Array,
): FeatureContributions {
  const columns = sources.map((source) => float32Values(requireColumn(table, source)));
  if (link === "logistic") {
    const rows = Int32Array.from(predictions.keys());
    return {
      method: "exact",
      scale: "log_odds",
      features: sources,
      kinds: sources.map(() => "input"),
      details: sources.map(() => null),
      ...treeShap(ensemble, columns, rows),
    };
  }
  const learner: Ensemble = link === "exp" ? { ...ensemble, link } : ensemble;
  return contributionsByFeature(
    learner,
    sources.map((feature) => ({ feature, kind: "input", detail: null })),
    columns,
    predictions,
  );
}

/** Returns the depth of a tree; null if a node has several parents, or a parent that does not precede it. */
function explainableDepth({ feature, left, right, cover }: Tree, { featureCount }: Ensemble): number | null {
  const depth = new Int32Array(feature.length).fill(-1);
  depth[0] = 0;
  let deepest = 0;
  for (let node = 0; node < feature.length; node++) {
    if (depth[node]! < 0 || depth[node]! > DEPTH_MAX || !(cover[node]! >= 0)) return null;
    deepest = Math.max(deepest, depth[node]!);
    if (feature[node]! < 0) continue;
    if (feature[node]! >= featureCount) return null;
    for (const child of [left[node]!, right[node]!]) {
      if (child <= node || child >= feature.length || depth[child] !== -1) return null;
      depth[child] = depth[node]! + 1;
    }
  }
  return deepest;
}
