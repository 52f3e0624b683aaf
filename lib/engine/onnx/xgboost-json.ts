import { z } from "zod";
import { textIssues } from "#lib/contract/text-issues";
import type { Ensemble, Tree } from "#lib/engine/learners/tree";
import { CONVERSIONS, foreignFormat } from "./foreign-format.ts";
import { ModelInvalid } from "./onnx-errors.ts";
import { type Link, treesToOnnx } from "./write-model.ts";

/**
 * The fields read from XGBoost's JSON (`save_model("model.json")`). Numbers may be text, and base_score is "[5E-1]"
 * since version 3. Schema: https://xgboost.readthedocs.io/en/stable/tutorials/saving_model.html
 */
const TreeJson = z.object({
  left_children: z.array(z.int()),
  right_children: z.array(z.int()),
  split_indices: z.array(z.int()),
  /** Includes the values of leaves. */
  split_conditions: z.array(z.number().nullable()),
  default_left: z.array(z.union([z.boolean(), z.number()])),
  sum_hessian: z.array(z.number()),
  /** 1 marks a split by category. */
  split_type: z.array(z.number()).optional(),
});
const ForestJson = z.object({
  trees: z.array(TreeJson),
  gbtree_model_param: z.object({ num_parallel_tree: z.string().optional() }).optional(),
});
/** DART stores its trees one level deeper, with a weight for each. */
const BoosterJson = z.discriminatedUnion("name", [
  z.object({ name: z.literal("gbtree"), model: ForestJson }),
  z.object({
    name: z.literal("dart"),
    gbtree: z.object({ model: ForestJson }),
    weight_drop: z.array(z.number()),
  }),
  z.object({ name: z.literal("gblinear") }),
]);
const XgboostJson = z.object({
  learner: z.object({
    attributes: z.record(z.string(), z.string()).optional(),
    feature_names: z.array(z.string()).optional(),
    gradient_booster: BoosterJson,
    learner_model_param: z.object({
      base_score: z.union([z.string(), z.number()]),
      num_class: z.string().optional(),
      num_target: z.string().optional(),
      num_feature: z.string(),
    }),
    objective: z.object({ name: z.string() }),
  }),
});
type XgboostJson = z.infer<typeof XgboostJson>;
type TreeJson = z.infer<typeof TreeJson>;

/** Links from the trees' sum to the prediction, by objective. */
const LINKS: [RegExp, Link][] = [
  [/^(reg:logistic|binary:logistic)$/, "logistic"],
  [/^(count:poisson|reg:gamma|reg:tweedie)$/, "exp"],
  [
    /^(reg:(squarederror|linear|absoluteerror|pseudohubererror|quantileerror|squaredlogerror)|binary:logitraw|rank:\w+)$/,
    "none",
  ],
];

type XgboostModel = {
  /** The sum of the trees is the prediction before the link. Usable for `treeShap`. */
  ensemble: Ensemble;
  link: Link;
  /** Names in column order. Empty if the file has none. */
  featureNames: string[];
  /** Rounds in use and in the file. Null if the model was not trained with early stopping. */
  rounds: { used: number; total: number } | null;
};

/** Converts the model to ONNX with input "X" float [N, features] and output "Y" float [N, 1]. */
export function xgboostToOnnx({ ensemble, link }: XgboostModel): Uint8Array {
  return treesToOnnx(ensemble, {}, link);
}

/**
 * Reads a tree model with one output. After early stopping, uses the rounds up to the best iteration, as scikit-learn's
 * wrapper does, or all of them on request.
 *
 * @throws ModelInvalid for other files, categorical splits, linear models and multi-class models
 */
export function readXgboostJson(bytes: Uint8Array, choice: "best" | "all" = "best"): XgboostModel {
  const { learner } = parse(bytes);
  const { gradient_booster: booster, learner_model_param: param, objective, attributes = {} } = learner;
  if (booster.name === "gblinear") {
    throw new ModelInvalid(
      `XGBoost models with the booster "gblinear" cannot be imported as JSON. Its predictions are linear in X, so that a linear regression repeats them. Convert it with: ${CONVERSIONS.gblinear}`,
    );
  }
  const forest = booster.name === "dart" ? booster.gbtree.model : booster.model;
  const weights = booster.name === "dart" ? booster.weight_drop : null;
  if (weights && weights.length !== forest.trees.length)
    throw new ModelInvalid("The XGBoost model must have one weight per tree.");
  if (Number(param.num_class ?? 0) > 1 || Number(param.num_target ?? 1) > 1) {
    throw new ModelInvalid(
      `The XGBoost model has several outputs (classes or targets), which JSON imports do not support. Convert it to ONNX, then choose the output: ${CONVERSIONS.xgboostClasses}`,
    );
  }
  const link = LINKS.find(([name]) => name.test(objective.name))?.[1];
  if (!link) throw new ModelInvalid(`XGBoost's objective "${objective.name}" is not supported.`);
  const featureCount = Number(param.num_feature);
  if (!(Number.isInteger(featureCount) && featureCount > 0)) {
    throw new ModelInvalid("The XGBoost model does not state its number of features.");
  }
  const perRound = Math.max(1, Number(forest.gbtree_model_param?.num_parallel_tree ?? 1));
  const total = Math.ceil(forest.trees.length / perRound);
  const best = Number(attributes.best_iteration ?? Number.NaN);
  const isStopped = Number.isInteger(best) && best >= 0 && best + 1 < total;
  const used = isStopped && choice === "best" ? best + 1 : total;
  const trees = forest.trees.slice(0, used * perRound);
  const ensemble: Ensemble = {
    kind: "trees",
    baseValue: Math.fround(baseMargin(param.base_score, link)),
    featureCount,
    trees: trees.map((tree, at) => convertTree(tree, at, featureCount, weights?.[at] ?? 1)),
  };
  const rounds = isStopped ? { used, total } : null;
  return { ensemble, link, featureNames: learner.feature_names ?? [], rounds };
}

/** Matches texts too, so that a feature's name keeps its NaN. */
const TEXT_OR_NAN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\bNaN\b/g;

function parse(bytes: Uint8Array): XgboostJson {
  const foreign = foreignFormat(bytes, "json");
  if (foreign) throw new ModelInvalid(foreign);
  let json: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // XGBoost writes NaN for the condition of a categorical split. JSON has no NaN.
    const withNull = text.replace(TEXT_OR_NAN, (token) => (token.startsWith('"') ? token : "null"));
    json = JSON.parse(withNull);
  } catch (cause) {
    const hint = 'Save the model with save_model("model.json"). The file extension determines the format.';
    throw new ModelInvalid(`The file is not JSON. ${hint}`, { cause });
  }
  if (Array.isArray(json))
    throw new ModelInvalid(
      'The file is a dump of trees (get_dump or dump_model), which does not contain the complete model. Save the model itself with booster.save_model("model.json").',
    );
  const [unstorable] = textIssues(json);
  if (unstorable) throw new ModelInvalid(`The XGBoost model is wrong: ${unstorable.message}.`);
  const parsed = XgboostJson.safeParse(json);
  if (!parsed.success) {
    const { path = [], message } = parsed.error.issues[0] ?? { message: "unknown" };
    throw new ModelInvalid(`The file is not an XGBoost model: ${path.join(".") || "the root"}: ${message}.`);
  }
  return parsed.data;
}

/** The base score is stored as a prediction. The trees add to its value before the link. */
function baseMargin(text: string | number, link: Link): number {
  const score = Number(String(text).replace(/^\[|\]$/g, ""));
  const margin =
    link === "logistic" ? Math.log(score / (1 - score)) : link === "exp" ? Math.log(score) : score;
  if (!Number.isFinite(margin))
    throw new ModelInvalid(`The XGBoost model's base_score "${text}" is out of range.`);
  return margin;
}

/** Renumbers the nodes in the order of a walk from the root. This drops pruned nodes. */
function convertTree(json: TreeJson, at: number, featureCount: number, weight: number): Tree {
  const size = json.left_children.length;
  const columns = [
    json.right_children,
    json.split_indices,
    json.split_conditions,
    json.default_left,
    json.sum_hessian,
  ];
  if (size === 0 || columns.some((column) => column.length !== size)) {
    throw new ModelInvalid(`Tree ${at} of the XGBoost model is incomplete.`);
  }
  const order = [0];
  const left = [-1];
  const right = [-1];
  for (let node = 0; node < order.length; node++) {
    const source = order[node]!;
    const children = [json.left_children[source]!, json.right_children[source]!];
    if (children[0] === -1) continue;
    if (order.length + 2 > size || children.some((child) => child < 1 || child >= size)) {
      throw new ModelInvalid(
        `Tree ${at} of the XGBoost model is not a tree: a child does not exist or has two parents.`,
      );
    }
    checkSplit(json, source, at, featureCount);
    left[node] = order.push(children[0]!) - 1;
    right[node] = order.push(children[1]!) - 1;
    left.push(-1, -1);
    right.push(-1, -1);
  }
  const isLeaf = (node: number) => left[node] === -1;
  // XGBoost keeps values, and the weights that DART gives trees, as float32, and multiplies them as such.
  const leafValue = (source: number) => Math.fround(weight) * Math.fround(json.split_conditions[source] ?? 0);
  const mapNodes = <T>(value: (source: number, node: number) => T) => order.map(value);
  return {
    feature: Int32Array.from(mapNodes((source, node) => (isLeaf(node) ? -1 : json.split_indices[source]!))),
    // XGBoost goes left below the condition, our trees up to the threshold.
    threshold: Float32Array.from(
      mapNodes((source, node) => (isLeaf(node) ? 0 : largestBelow(json.split_conditions[source] ?? 0))),
    ),
    left: Int32Array.from(left),
    right: Int32Array.from(right),
    missingLeft: Uint8Array.from(mapNodes((source) => Number(json.default_left[source]))),
    value: Float32Array.from(mapNodes((source, node) => (isLeaf(node) ? leafValue(source) : 0))),
    cover: Float64Array.from(mapNodes((source) => json.sum_hessian[source]!)),
  };
}

function checkSplit(json: TreeJson, node: number, at: number, featureCount: number): void {
  if (json.split_type?.[node] === 1) {
    throw new ModelInvalid(
      "The XGBoost model has categorical splits, which cannot be imported. Train it on one-hot columns or without enable_categorical.",
    );
  }
  if (json.split_conditions[node] === null) {
    throw new ModelInvalid(`Tree ${at} of the XGBoost model has a split without a condition.`);
  }
  const feature = json.split_indices[node]!;
  if (feature < 0 || feature >= featureCount) {
    throw new ModelInvalid(
      `Tree ${at} of the XGBoost model tests feature ${feature}. Valid features are 0 to ${featureCount - 1}.`,
    );
  }
}

/** The largest float32 below `x` rounded to float32: `v < x` and `v <= largestBelow(x)` agree for every float32 v. */
export function largestBelow(x: number): number {
  const value = Float32Array.of(x);
  if (value[0] === 0) return -(2 ** -149);
  const bits = new Int32Array(value.buffer);
  bits[0]! += value[0]! > 0 ? -1 : 1;
  return value[0]!;
}
