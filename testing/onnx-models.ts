import { ProtobufWriter } from "#lib/engine/onnx/protobuf";

/** Builds small valid and invalid ONNX models for tests. Field numbers: onnx.proto. */

export const FLOAT = 1;
export const INT64 = 7;
export const STRING = 8;
export const BOOL = 9;
export const DOUBLE = 11;

type Dimension = number | string | null;

export function message(): ProtobufWriter {
  return new ProtobufWriter();
}

export function tensorInfo(name: string, type: number, shape: Dimension[]): ProtobufWriter {
  const dims = message();
  for (const size of shape) {
    const dim = message();
    if (typeof size === "number") dim.int(1, size);
    if (typeof size === "string") dim.string(2, size);
    dims.message(1, dim);
  }
  const type_ = message().message(1, message().int(1, type).message(2, dims));
  return message().string(1, name).message(2, type_);
}

/** A sequence of maps, the output of ZipMap. Not a tensor. */
export function sequenceInfo(name: string): ProtobufWriter {
  const map = message().message(
    5,
    message()
      .int(1, INT64)
      .message(2, message().message(1, message().int(1, FLOAT))),
  );
  return message()
    .string(1, name)
    .message(2, message().message(4, message().message(1, map)));
}

export function node(
  operator: string,
  inputs: string[],
  outputs: string[],
  options: { domain?: string; attributes?: ProtobufWriter[] } = {},
): ProtobufWriter {
  const written = message();
  for (const input of inputs) written.string(1, input);
  for (const output of outputs) written.string(2, output);
  written.string(4, operator);
  for (const attribute of options.attributes ?? []) written.message(5, attribute);
  return options.domain ? written.string(7, options.domain) : written;
}

export function int64Tensor(name: string, dims: number[], values: number[]): ProtobufWriter {
  const tensor = message().packedInts(1, dims).int(2, INT64).string(8, name);
  return tensor.packedInts(7, values);
}

function floatTensor(name: string, dims: number[], valueAt: (at: number) => number): ProtobufWriter {
  const length = dims.reduce((product, size) => product * size, 1);
  const values = Float32Array.from({ length }, (_, at) => valueAt(at));
  return message().packedInts(1, dims).int(2, FLOAT).packedFloats(4, values).string(8, name);
}

type GraphParts = {
  nodes?: ProtobufWriter[];
  initializers?: ProtobufWriter[];
  inputs?: ProtobufWriter[];
  outputs?: ProtobufWriter[];
};

export function graph(parts: GraphParts): ProtobufWriter {
  const written = message().string(2, "g");
  for (const part of parts.nodes ?? []) written.message(1, part);
  for (const part of parts.initializers ?? []) written.message(5, part);
  for (const part of parts.inputs ?? []) written.message(11, part);
  for (const part of parts.outputs ?? []) written.message(12, part);
  return written;
}

export function modelFile(parts: GraphParts, mlVersion = 1): Uint8Array {
  return message()
    .int(1, 8)
    .string(2, "tests")
    .string(3, "1.0")
    .message(7, graph(parts))
    .message(8, message().string(1, "").int(2, 13))
    .message(8, message().string(1, "ai.onnx.ml").int(2, mlVersion))
    .finish();
}

/** Y = X, a float matrix. */
export function identityModel(shape: Dimension[] = ["N", 2]): Uint8Array {
  return modelFile({
    nodes: [node("Identity", ["X"], ["Y"])],
    inputs: [tensorInfo("X", FLOAT, shape)],
    outputs: [tensorInfo("Y", FLOAT, shape)],
  });
}

/** A model with a constant of 2^`exponent` float32 values. */
export function memoryBomb(exponent: number): Uint8Array {
  return modelFile({
    nodes: [
      node("ConstantOfShape", ["shape"], ["huge"]),
      node("ReduceSum", ["huge"], ["sum"]),
      node("Add", ["X", "sum"], ["Y"]),
    ],
    initializers: [int64Tensor("shape", [1], [2 ** exponent])],
    inputs: [tensorInfo("X", FLOAT, ["N", 1])],
    outputs: [tensorInfo("Y", FLOAT, ["N", 1])],
  });
}

/**
 * A model that allocates as many values as its input states, and returns the input. A trial with zeros allocates
 * nothing.
 */
export function growingModel(): Uint8Array {
  const toInt64 = message().string(1, "to").int(3, INT64).int(20, 2);
  return modelFile({
    nodes: [
      node("Cast", ["X"], ["count"], { attributes: [toInt64] }),
      node("ConstantOfShape", ["count"], ["many"]),
      node("ReduceSum", ["many"], ["sum"]),
      node("Add", ["X", "sum"], ["Y"]),
    ],
    inputs: [tensorInfo("X", FLOAT, [1])],
    outputs: [tensorInfo("Y", FLOAT, [1])],
  });
}

/** A model with a loop of 2^52 rounds. */
export function endlessModel(): Uint8Array {
  const body = graph({
    nodes: [node("Identity", ["go"], ["goOn"]), node("Add", ["x", "x"], ["twice"])],
    inputs: [tensorInfo("round", INT64, []), tensorInfo("go", BOOL, []), tensorInfo("x", FLOAT, ["N", 1])],
    outputs: [tensorInfo("goOn", BOOL, []), tensorInfo("twice", FLOAT, ["N", 1])],
  });
  const attribute = message().string(1, "body").message(6, body).int(20, 5);
  return modelFile({
    nodes: [node("Loop", ["rounds", "", "X"], ["Y"], { attributes: [attribute] })],
    initializers: [int64Tensor("rounds", [], [2 ** 52])],
    inputs: [tensorInfo("X", FLOAT, ["N", 1])],
    outputs: [tensorInfo("Y", FLOAT, ["N", 1])],
  });
}

/**
 * A model that multiplies its input `layers` times by the unit matrix of `width` columns, and adds up each row: its cost
 * is chosen freely.
 */
export function layeredModel(layers: number, width: number, batch: Dimension): Uint8Array {
  const names = ["X", ...Array.from({ length: layers }, (_, layer) => `h${layer}`)];
  const products = names.slice(1).map((name, layer) => node("MatMul", [names[layer]!, "unit"], [name]));
  return modelFile({
    nodes: [...products, node("MatMul", [names.at(-1)!, "ones"], ["Y"])],
    initializers: [
      floatTensor("unit", [width, width], (at) => (at % (width + 1) === 0 ? 1 : 0)),
      floatTensor("ones", [width, 1], () => 1),
    ],
    inputs: [tensorInfo("X", FLOAT, [batch, width])],
    outputs: [tensorInfo("Y", FLOAT, [batch, 1])],
  });
}

/**
 * A small file whose calls make height × width values from a column and a row, and return the input. The column depends
 * on the input, so that the runtime does not make the values when it opens the file.
 */
export function outerProductModel(height: number, width: number): Uint8Array {
  return modelFile({
    nodes: [
      node("ReduceSum", ["X"], ["sum"]),
      node("Mul", ["sum", "zero"], ["nothing"]),
      node("Add", ["column", "nothing"], ["tall"]),
      node("MatMul", ["tall", "row"], ["large"]),
      node("ReduceMax", ["large"], ["most"]),
      node("Add", ["X", "most"], ["Y"]),
    ],
    initializers: [
      floatTensor("zero", [1, 1], () => 0),
      floatTensor("column", [height, 1], () => 0),
      floatTensor("row", [1, width], () => 0),
    ],
    inputs: [tensorInfo("X", FLOAT, ["N", 1])],
    outputs: [tensorInfo("Y", FLOAT, ["N", 1])],
  });
}
