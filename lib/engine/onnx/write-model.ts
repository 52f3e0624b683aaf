import type { LinearModel } from "#lib/engine/learners/linear-design";
import type { Ensemble } from "#lib/engine/learners/tree";
import { floatsAttribute, intAttribute, stringAttribute, treeAttributes } from "./attributes.ts";
import { ProtobufWriter } from "./protobuf.ts";

/** Origin of the model, written to the file's metadata_props for other programs. */
type ModelMetadata = Record<string, string>;

/** Function from the model's sum to the prediction. `nonNegative` replaces negative sums by 0. */
export type Link = "none" | "logistic" | "exp" | "nonNegative";

export const LINK_OPERATORS = { logistic: "Sigmoid", exp: "Exp", nonNegative: "Relu" };

/** Operators of the ONNX files that this service writes or has written for models trained here. */
export const WRITTEN_OPERATORS: ReadonlySet<string> = new Set([
  "ai.onnx.ml.Scaler",
  "ai.onnx.ml.LinearRegressor",
  "ai.onnx.ml.TreeEnsembleRegressor",
  ...Object.values(LINK_OPERATORS),
]);

/** Names of the input and the output in files of this service. */
export const INPUT_NAME = "X";
export const OUTPUT_NAME = "Y";

const IR_VERSION = 8;
const OPSET_VERSION = 17;
const ML_OPSET_VERSION = 1;
const ML_DOMAIN = "ai.onnx.ml";
const FLOAT = 1;

/**
 * Converts trees to a TreeEnsembleRegressor with input "X" float [N, featureCount] and output "Y" float [N, 1]. Leaves
 * and base value are in the target's unit, so that `readTrees` reads the file. The link is a separate node, because the
 * runtime's regressor ignores `post_transform`. The ensemble's own link precedes the wanted one.
 */
export function treesToOnnx(ensemble: Ensemble, metadata: ModelMetadata, wanted: Link = "none"): Uint8Array {
  const { baseValue, trees } = inTargetUnit(ensemble);
  const link = ensemble.link ?? wanted;
  const sum = link === "none" ? OUTPUT_NAME : "sum";
  const regress = mlNode("TreeEnsembleRegressor", INPUT_NAME, sum, [
    ...treeAttributes({ ...ensemble, trees }),
    intAttribute("n_targets", 1),
    stringAttribute("aggregate_function", "SUM"),
    stringAttribute("post_transform", "NONE"),
    floatsAttribute("base_values", [baseValue]),
  ]);
  const linked = link === "none" ? [] : [node(LINK_OPERATORS[link], sum, OUTPUT_NAME)];
  return model([regress, ...linked], ensemble.featureCount, metadata);
}

function inTargetUnit({
  baseValue,
  trees,
  center = 0,
  scale = 1,
}: Ensemble): Pick<Ensemble, "baseValue" | "trees"> {
  if (center === 0 && scale === 1) return { baseValue, trees };
  return {
    baseValue: center + scale * baseValue,
    trees: trees.map((tree) => ({ ...tree, value: tree.value.map((value) => scale * value) })),
  };
}

/**
 * Converts a linear model to a Scaler that subtracts the means and a LinearRegressor, with input "X" float [N, F] and
 * output "Y" float [N, 1]. The runtime computes in float32: without the Scaler, a large mean (a year, a price) times
 * its coefficient would drown the result.
 */
export function linearToOnnx(linear: LinearModel, metadata: ModelMetadata, link: Link = "none"): Uint8Array {
  const { coefficients, means } = linear;
  const sum = link === "none" ? OUTPUT_NAME : "sum";
  // Rounded to float32. The intercept is evaluated at exactly these values.
  const offsets = Float32Array.from(means);
  const atOffsets = coefficients.reduce((part, c, feature) => part + c * offsets[feature]!, linear.intercept);
  const centre = mlNode("Scaler", INPUT_NAME, "centred", [
    floatsAttribute("offset", offsets),
    floatsAttribute("scale", new Float32Array(offsets.length).fill(1)),
  ]);
  const regress = mlNode("LinearRegressor", "centred", sum, [
    floatsAttribute("coefficients", coefficients),
    floatsAttribute("intercepts", [atOffsets]),
    intAttribute("targets", 1),
  ]);
  const linked = link === "none" ? [] : [node(LINK_OPERATORS[link], sum, OUTPUT_NAME)];
  return model([centre, regress, ...linked], coefficients.length, metadata);
}

function node(operator: string, input: string, output: string): ProtobufWriter {
  return new ProtobufWriter().string(1, input).string(2, output).string(3, operator).string(4, operator);
}

function mlNode(
  operator: string,
  input: string,
  output: string,
  attributes: ProtobufWriter[],
): ProtobufWriter {
  const written = node(operator, input, output);
  for (const attribute of attributes) written.message(5, attribute);
  return written.string(7, ML_DOMAIN);
}

/** Wraps the nodes in a ModelProto (field numbers: onnx.proto). */
function model(nodes: ProtobufWriter[], featureCount: number, metadata: ModelMetadata): Uint8Array {
  const graph = new ProtobufWriter();
  for (const node of nodes) graph.message(1, node);
  graph
    .string(2, "model")
    .message(11, valueInfo(INPUT_NAME, featureCount))
    .message(12, valueInfo(OUTPUT_NAME, 1));
  const file = new ProtobufWriter()
    .int(1, IR_VERSION)
    .string(2, "model-prediction-service")
    .message(7, graph)
    .message(8, new ProtobufWriter().string(1, "").int(2, OPSET_VERSION))
    .message(8, new ProtobufWriter().string(1, ML_DOMAIN).int(2, ML_OPSET_VERSION));
  for (const [key, value] of Object.entries(metadata)) {
    file.message(14, new ProtobufWriter().string(1, key).string(2, value));
  }
  return file.finish();
}

/** Returns the ValueInfoProto of a float tensor [N, width]. */
function valueInfo(name: string, width: number): ProtobufWriter {
  const shape = new ProtobufWriter()
    .message(1, new ProtobufWriter().string(2, "N"))
    .message(1, new ProtobufWriter().int(1, width));
  const tensor = new ProtobufWriter().int(1, FLOAT).message(2, shape);
  return new ProtobufWriter().string(1, name).message(2, new ProtobufWriter().message(1, tensor));
}
