import type { Ensemble, Tree } from "#lib/engine/learners/tree";
import { ModelInvalid } from "./onnx-errors.ts";
import { messagesOf, readFields, readFloats, readInts, readText } from "./protobuf.ts";
import { readValueInfo } from "./tensors.ts";
import { LINK_OPERATORS, type Link, treesToOnnx } from "./write-model.ts";

/** `nonNegative` models replace negative sums by 0. */
export type TreeModel = { ensemble: Ensemble; nonNegative: boolean };

/** The link is the function from the ensemble's score to the prediction. */
export type LinkedTrees = { ensemble: Ensemble; link: Link };

/** Returns the trees of a model without a link or with the non-negative link, like `readLinkedTrees`. */
export function readTrees(bytes: Uint8Array): TreeModel | null {
  const trees = readLinkedTrees(bytes);
  if (trees === null || trees.link === "logistic" || trees.link === "exp") return null;
  return { ensemble: trees.ensemble, nonNegative: trees.link === "nonNegative" };
}

/**
 * Returns the trees, with their covers, of a model whose graph equals, to the byte, an output of
 * `treesToOnnx`. Returns null for every other model. The runtime has accepted the file before.
 */
export function readLinkedTrees(bytes: Uint8Array): LinkedTrees | null {
  try {
    return treesOf(bytes);
  } catch (cause) {
    // The runtime may read files that this parser cannot.
    if (cause instanceof ModelInvalid) return null;
    throw cause;
  }
}

function treesOf(bytes: Uint8Array): LinkedTrees | null {
  const graph = messagesOf(bytes, 7)[0] ?? new Uint8Array();
  const [trees, ...links] = messagesOf(graph, 1);
  if (!trees || links.length > 1 || operatorOf(trees) !== "TreeEnsembleRegressor") return null;
  const link = links[0] === undefined ? "none" : LINKS.get(operatorOf(links[0]));
  if (link === undefined) return null;
  const width = messagesOf(graph, 11).map(readValueInfo)[0]?.shape?.[1];
  const ensemble = ensembleOf(trees, Number(width));
  const [written] = messagesOf(treesToOnnx(ensemble, {}, link), 7);
  return Buffer.compare(graph, written!) === 0 ? { ensemble, link } : null;
}

const LINKS = new Map<string | undefined, Link>(
  Object.entries(LINK_OPERATORS).map(([link, operator]) => [operator, link as Link]),
);

function operatorOf(node: Uint8Array): string | undefined {
  return Array.from(readFields(node))
    .filter(({ field }) => field === 4)
    .map(readText)[0];
}

function ensembleOf(node: Uint8Array, featureCount: number): Ensemble {
  const attributes = new Map(messagesOf(node, 5).map(readNumbers));
  const numbers = (name: string) => attributes.get(name) ?? [];
  const [ids, features, thresholds] = ["nodes_nodeids", "nodes_featureids", "nodes_values"].map(numbers);
  const [lefts, rights] = ["nodes_truenodeids", "nodes_falsenodeids"].map(numbers);
  const [missingLeft, covers] = ["nodes_missing_value_tracks_true", "nodes_hitrates"].map(numbers);
  const weights = numbers("target_weights");
  const roots = ids!.flatMap((id, at) => (id === 0 ? [at] : []));
  let leaves = 0;
  const trees = roots.map((from, index): Tree => {
    const to = roots[index + 1] ?? ids!.length;
    // A root is never a child, so 0 marks a missing child.
    const isLeaf = lefts!.slice(from, to).map((left) => left === 0);
    const inner = (values: number[], leaf: number) =>
      values.slice(from, to).map((value, at) => (isLeaf[at] ? leaf : value));
    return {
      feature: Int32Array.from(inner(features!, -1)),
      threshold: Float32Array.from(inner(thresholds!, 0)),
      left: Int32Array.from(inner(lefts!, -1)),
      right: Int32Array.from(inner(rights!, -1)),
      missingLeft: Uint8Array.from(inner(missingLeft!, 0)),
      value: Float32Array.from(isLeaf, (leaf) => (leaf ? (weights[leaves++] ?? 0) : 0)),
      cover: Float64Array.from(covers!.slice(from, to)),
    };
  });
  return { kind: "trees", baseValue: numbers("base_values")[0] ?? 0, featureCount, trees };
}

/** Reads the name and the numbers of an AttributeProto. Skips the texts per node, because the bytes are compared. */
function readNumbers(bytes: Uint8Array): [string, number[]] {
  let name = "";
  for (const field of readFields(bytes)) {
    if (field.field === 1) name = readText(field);
    if (field.field === 7) return [name, readFloats(field)];
    if (field.field === 8) return [name, readInts(field)];
    if (field.field === 9) break;
  }
  return [name, []];
}
