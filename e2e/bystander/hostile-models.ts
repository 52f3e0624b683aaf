import { FLOAT, graph, message, modelFile, node, outerProductModel, tensorInfo } from "#testing/onnx-models";

/** A model file of a hostile project, with the fields of its import. `width`: number of its features. */
export type HostileModel = { name: string; file: Uint8Array; format: "onnx" | "xgboost-json"; width: number };

function floats(name: string, dims: number[], value: number) {
  const count = dims.reduce((product, size) => product * size, 1);
  const raw = new Uint8Array(new Float32Array(count).fill(value).buffer);
  return message().packedInts(1, dims).int(2, FLOAT).string(8, name).bytes(9, raw);
}

/** A matrix of a fixed number of rows. A request of one row fills it with zeros. */
function fixedBatch(rows: number): HostileModel {
  const shape = [rows, 1];
  const file = modelFile({
    nodes: [node("Identity", ["X"], ["Y"])],
    inputs: [tensorInfo("X", FLOAT, shape)],
    outputs: [tensorInfo("Y", FLOAT, shape)],
  });
  return { name: `fixed batch of ${rows}`, file, format: "onnx", width: 1 };
}

/** Products of matrices, one after the other, which share one file of weights. */
function layers(count: number, width: number): HostileModel {
  const names = Array.from({ length: count + 1 }, (_, layer) => `h${layer}`);
  const file = modelFile({
    nodes: [
      node("MatMul", ["X", "first"], [names[0]!]),
      ...names.slice(1).map((name, layer) => node("MatMul", [names[layer]!, "weights"], [name])),
      node("MatMul", [names.at(-1)!, "last"], ["Y"]),
    ],
    initializers: [
      floats("first", [1, width], 1),
      floats("weights", [width, width], 1 / width),
      floats("last", [width, 1], 1),
    ],
    inputs: [tensorInfo("X", FLOAT, ["N", 1])],
    outputs: [tensorInfo("Y", FLOAT, ["N", 1])],
  });
  return { name: `${count} layers of ${width}`, file, format: "onnx", width: 1 };
}

/** A small file whose one row needs a matrix of `height` × `width`. */
const outerProduct = (height: number, width: number): HostileModel => ({
  name: `product of ${height} × ${width}`,
  file: outerProductModel(height, width),
  format: "onnx",
  width: 1,
});

/** Rounds of a loop, each with a product of matrices. */
function loop(rounds: number, width: number): HostileModel {
  const body = graph({
    nodes: [node("Identity", ["go"], ["goOn"]), node("MatMul", ["x", "weights"], ["next"])],
    inputs: [tensorInfo("round", 7, []), tensorInfo("go", 9, []), tensorInfo("x", FLOAT, ["N", width])],
    outputs: [tensorInfo("goOn", 9, []), tensorInfo("next", FLOAT, ["N", width])],
  });
  const attribute = message().string(1, "body").message(6, body).int(20, 5);
  const file = modelFile({
    nodes: [
      node("MatMul", ["X", "first"], ["h"]),
      node("Loop", ["rounds", "", "h"], ["out"], { attributes: [attribute] }),
      node("MatMul", ["out", "last"], ["Y"]),
    ],
    initializers: [
      message().packedInts(1, []).int(2, 7).string(8, "rounds").packedInts(7, [rounds]),
      floats("first", [1, width], 1),
      floats("weights", [width, width], 1 / width),
      floats("last", [width, 1], 1),
    ],
    inputs: [tensorInfo("X", FLOAT, ["N", 1])],
    outputs: [tensorInfo("Y", FLOAT, ["N", 1])],
  });
  return { name: `loop of ${rounds} rounds`, file, format: "onnx", width: 1 };
}

/** Trees of XGBoost whose splits form a chain, so that contributions of a row walk every node. */
function chains(trees: number, depth: number): HostileModel {
  const size = 2 * depth + 1;
  const nodes = Array.from({ length: size }, (_, at) => at);
  const isSplit = (at: number) => at % 2 === 0 && at < size - 1;
  const tree = {
    left_children: nodes.map((at) => (isSplit(at) ? at + 1 : -1)),
    right_children: nodes.map((at) => (isSplit(at) ? at + 2 : -1)),
    split_indices: nodes.map((at) => (isSplit(at) ? (at / 2) % 8 : 0)),
    split_conditions: nodes.map((at) => (isSplit(at) ? at / size - 1 : at)),
    default_left: nodes.map(() => 0),
    sum_hessian: nodes.map((at) => size - at),
  };
  const learner = {
    feature_names: Array.from({ length: 8 }, (_, at) => `f${at}`),
    gradient_booster: { name: "gbtree", model: { trees: Array.from({ length: trees }, () => tree) } },
    learner_model_param: { base_score: "0", num_feature: "8" },
    objective: { name: "reg:squarederror" },
  };
  const file = Buffer.from(JSON.stringify({ learner }));
  return { name: `${trees} chains of ${depth} splits`, file, format: "xgboost-json", width: 8 };
}

/** Kinds of models, each from the most to the least expensive. The first that the service accepts is used. */
export function hostileModels(isLong: boolean): HostileModel[][] {
  const sizes = isLong ? [1, 0.5, 0.2, 0.05] : [0.005];
  const scaled = (make: (share: number) => HostileModel) => sizes.map(make);
  return [
    isLong ? [fixedBatch(100_000_000), fixedBatch(10_000)] : [fixedBatch(1_000)],
    scaled((share) => layers(Math.ceil(700 * share), 256)),
    scaled((share) => outerProduct(Math.ceil(20_000 * share), Math.ceil(10_000 * share))),
    scaled((share) => loop(Math.ceil(1_000 * share), 256)),
    scaled((share) => chains(Math.ceil(400 * share), 490)),
  ];
}
