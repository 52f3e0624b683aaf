import { FaultList, type OnnxFault } from "#lib/ml/onnx/faults";
import { type OnnxValue, readValueInfo } from "#lib/ml/onnx/read-value-info";
import { INPUT_TYPES } from "#lib/ml/onnx/tensor-types";
import { foreignFormat } from "./foreign-format.ts";
import { ModelInvalid } from "./onnx-errors.ts";
import { readBytes, readFields, readInts, readText } from "./protobuf.ts";
import { readTensor } from "./tensors.ts";

export type { OnnxFault } from "#lib/ml/onnx/faults";
export type { OnnxValue } from "#lib/ml/onnx/read-value-info";

export type OnnxSummary = {
  /** Name and version of the program that wrote the file; empty where it does not say. */
  producer: string;
  opsets: { domain: string; version: number }[];
  /** What a caller must give: initializers that are listed as inputs too are not among them. */
  inputs: OnnxValue[];
  outputs: OnnxValue[];
  /** Operators in use, each once, `domain.Name` outside the standard domain. */
  operators: string[];
  /** Bytes of all constants, by their declared sizes. */
  initializerBytes: number;
  /** Why the file must not be run, every reason found (at most 100). Empty: it may go to a smoke run. */
  faults: OnnxFault[];
};

/** Operator domains that the runtime knows. */
const KNOWN_DOMAINS = new Set(["", "ai.onnx", "ai.onnx.ml", "com.microsoft"]);
/** As many features as an import may name. */
const PLACES_MAX = 10_000;
/** Graphs within graphs (If, Loop, Scan); deeper ones are no real model. */
const MAX_DEPTH = 16;

/**
 * Reads what must be known of a file from outside before the runtime sees it, and finds what it must be refused for:
 * data in other files, paths, operators that only a plug-in has, inputs that no table can fill, outputs that are no
 * tensors, constants whose declared size is not what is there.
 *
 * @throws ModelInvalid for bytes that are no ONNX model, and nothing else.
 */
export function inspectOnnx(bytes: Uint8Array): OnnxSummary {
  const foreign = foreignFormat(bytes);
  if (foreign) throw new ModelInvalid(foreign);
  const reading: Reading = { faults: new FaultList(), operators: new Set(), initializerBytes: 0 };
  const producer = ["", ""];
  const opsets: OnnxSummary["opsets"] = [];
  let graph: Graph | null = null;
  for (const field of readFields(bytes)) {
    if (field.field === 2) producer[0] = readText(field);
    if (field.field === 3) producer[1] = readText(field);
    if (field.field === 7) graph = readGraph(readBytes(field), reading, 0);
    if (field.field === 8) opsets.push(readOpset(readBytes(field)));
    if (field.field === 20)
      reading.faults.add("training_info", "The file has training information: export it for inference.");
    if (field.field === 25) readFunction(readBytes(field), reading);
  }
  if (!graph) throw new ModelInvalid("The file is no ONNX model: it has no graph.");
  const inputs = graph.inputs.filter(({ name }) => !graph.initializers.has(name));
  checkInputs(inputs, reading.faults);
  checkOutputs(graph.outputs, reading.faults);
  return {
    producer: producer.join(" ").trim(),
    opsets,
    inputs,
    outputs: graph.outputs,
    operators: [...reading.operators].sort(),
    initializerBytes: reading.initializerBytes,
    faults: reading.faults.list,
  };
}

type Reading = { faults: FaultList; operators: Set<string>; initializerBytes: number };
type Graph = { inputs: OnnxValue[]; outputs: OnnxValue[]; initializers: Set<string> };

function readGraph(bytes: Uint8Array, reading: Reading, depth: number): Graph {
  if (depth > MAX_DEPTH)
    throw new ModelInvalid(`The model has graphs within graphs more than ${MAX_DEPTH} deep.`);
  const graph: Graph = { inputs: [], outputs: [], initializers: new Set() };
  for (const field of readFields(bytes)) {
    if (field.field === 1) readNode(readBytes(field), reading, depth);
    if (field.field === 5) graph.initializers.add(readConstant(readBytes(field), reading));
    if (field.field === 11) graph.inputs.push(readValueInfo(readBytes(field)));
    if (field.field === 12) graph.outputs.push(readValueInfo(readBytes(field)));
    if (field.field === 15) graph.initializers.add(readSparseConstant(readBytes(field), reading));
  }
  return graph;
}

function readNode(bytes: Uint8Array, reading: Reading, depth: number): void {
  let operator = "";
  let domain = "";
  for (const field of readFields(bytes)) {
    if (field.field === 4) operator = readText(field);
    if (field.field === 5) readAttribute(readBytes(field), reading, depth);
    if (field.field === 7) domain = readText(field);
  }
  const name = domain === "" || domain === "ai.onnx" ? operator : `${domain}.${operator}`;
  reading.operators.add(name);
  if (!KNOWN_DOMAINS.has(domain)) {
    reading.faults.add(
      "unknown_operator",
      `The operator "${name}" needs a plug-in that the service does not have.`,
    );
  }
  // Holds, or names the file of, a compiled model for one kind of hardware.
  if (operator === "EPContext") {
    reading.faults.add(
      "unknown_operator",
      `The operator "${name}" works only with the hardware it was made for.`,
    );
  }
}

/** AttributeProto: the tensors and graphs in it; its numbers and texts are the runtime's concern. */
function readAttribute(bytes: Uint8Array, reading: Reading, depth: number): void {
  for (const field of readFields(bytes)) {
    if (field.field === 5 || field.field === 10) readConstant(readBytes(field), reading);
    if (field.field === 6 || field.field === 11) readGraph(readBytes(field), reading, depth + 1);
    if (field.field === 22 || field.field === 23) readSparseConstant(readBytes(field), reading);
  }
}

function readConstant(bytes: Uint8Array, reading: Reading): string {
  const tensor = readTensor(bytes, reading.faults);
  reading.initializerBytes += tensor.bytes;
  return tensor.name;
}

/** SparseTensorProto: its name is that of its values. */
function readSparseConstant(bytes: Uint8Array, reading: Reading): string {
  let name = "";
  for (const field of readFields(bytes)) {
    if (field.field === 1) name = readConstant(readBytes(field), reading);
    if (field.field === 2) readConstant(readBytes(field), reading);
  }
  return name;
}

/** FunctionProto: operators that the file defines itself, out of others. */
function readFunction(bytes: Uint8Array, reading: Reading): void {
  for (const field of readFields(bytes)) {
    if (field.field === 7) readNode(readBytes(field), reading, 0);
    if (field.field === 11) readAttribute(readBytes(field), reading, 0);
  }
}

function readOpset(bytes: Uint8Array): { domain: string; version: number } {
  const opset = { domain: "", version: 0 };
  for (const field of readFields(bytes)) {
    if (field.field === 1) opset.domain = readText(field);
    if (field.field === 2) opset.version = readInts(field)[0] ?? 0;
  }
  return opset;
}

function checkInputs(inputs: OnnxValue[], faults: FaultList): void {
  if (inputs.length === 0) faults.add("no_input", "The model takes no input.");
  if (inputs.length > PLACES_MAX)
    faults.add("input_unsupported", `The model has ${inputs.length} inputs; ${PLACES_MAX} are allowed.`);
  for (const { name, kind, elementType, shape } of inputs) {
    const width = (shape ?? [])
      .slice(1)
      .reduce<number>((product, size) => product * (typeof size === "number" ? size : 1), 1);
    if (width > PLACES_MAX)
      faults.add("input_unsupported", `The input "${name}" has ${width} columns; ${PLACES_MAX} are allowed.`);
    if (kind !== "tensor") faults.add("input_unsupported", `The input "${name}" is no tensor.`);
    else if (!elementType || !INPUT_TYPES.has(elementType)) {
      faults.add(
        "input_unsupported",
        `The input "${name}" is of the type ${elementType}, which no column can be.`,
      );
    }
  }
}

function checkOutputs(outputs: OnnxValue[], faults: FaultList): void {
  // An output may leave its type to be inferred: then the smoke run tells.
  const usable = outputs.some(
    ({ kind, elementType }) => kind === "undeclared" || (kind === "tensor" && elementType !== "string"),
  );
  if (usable) return;
  const names = outputs.map(({ name, kind, elementType }) => `"${name}" (${elementType ?? kind})`).join(", ");
  faults.add(
    "no_numeric_output",
    `No output of the model is a tensor of numbers: ${names || "it has none"}. Export it without ZipMap.`,
  );
}
