import { foreignFormat } from "./foreign-format.ts";
import { IssueList, ModelInvalid, type OnnxIssue } from "./onnx-errors.ts";
import { readBytes, readFields, readText } from "./protobuf.ts";
import { INPUT_TYPES, type OnnxValue, readTensor, readValueInfo } from "./tensors.ts";

type OnnxSummary = {
  /** Distinct operators in use, `domain.Name` outside the standard domain. */
  operators: string[];
  /** Reasons why the file must not be run (at most 100). If empty, a smoke run may follow. */
  issues: OnnxIssue[];
};

/** Operator domains that the runtime knows. */
const KNOWN_DOMAINS = new Set(["", "ai.onnx", "ai.onnx.ml", "com.microsoft"]);
/** Maximum number of features that an import may name. */
const PLACES_MAX = 10_000;
/** Maximum depth of nested graphs (If, Loop, Scan). Real models are not deeper. */
const MAX_DEPTH = 16;

/**
 * Inspects an imported model before the runtime sees it, and collects the reasons to reject it: data in other files,
 * paths, operators that need a plug-in, inputs that no table can fill, outputs that are not tensors, and constants
 * whose declared size differs from their data.
 *
 * @throws ModelInvalid only for bytes that are not an ONNX model
 */
export function inspectOnnx(bytes: Uint8Array): OnnxSummary {
  const foreign = foreignFormat(bytes);
  if (foreign) throw new ModelInvalid(foreign);
  const reading: Reading = { issues: new IssueList(), operators: new Set() };
  let graph: Graph | null = null;
  for (const field of readFields(bytes)) {
    if (field.field === 7) graph = readGraph(readBytes(field), reading, 0);
    if (field.field === 20)
      reading.issues.add("training_info", "The file contains training information. Export it for inference.");
    if (field.field === 25) readFunction(readBytes(field), reading);
  }
  if (!graph) throw new ModelInvalid("The file is not an ONNX model: it has no graph.");
  // Initializers may also be listed as inputs. A caller need not provide them.
  const { inputs, outputs, initializers } = graph;
  checkInputs(
    inputs.filter(({ name }) => !initializers.has(name)),
    reading.issues,
  );
  checkOutputs(outputs, reading.issues);
  return { operators: [...reading.operators].sort(), issues: reading.issues.list };
}

type Reading = { issues: IssueList; operators: Set<string> };
type Graph = { inputs: OnnxValue[]; outputs: OnnxValue[]; initializers: Set<string> };

function readGraph(bytes: Uint8Array, reading: Reading, depth: number): Graph {
  if (depth > MAX_DEPTH) throw new ModelInvalid(`The model has graphs nested more than ${MAX_DEPTH} deep.`);
  const graph: Graph = { inputs: [], outputs: [], initializers: new Set() };
  for (const field of readFields(bytes)) {
    if (field.field === 1) readNode(readBytes(field), reading, depth);
    if (field.field === 5) graph.initializers.add(readTensor(readBytes(field), reading.issues));
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
    reading.issues.add(
      "unknown_operator",
      `The operator "${name}" needs a plug-in. Plug-ins are not supported.`,
    );
  }
  // Contains, or refers to, a model compiled for one kind of hardware.
  if (operator === "EPContext") {
    reading.issues.add(
      "unknown_operator",
      `The operator "${name}" works only on the hardware that it was compiled for.`,
    );
  }
}

/** Reads the tensors and graphs of an AttributeProto. The runtime checks its numbers and texts. */
function readAttribute(bytes: Uint8Array, reading: Reading, depth: number): void {
  for (const field of readFields(bytes)) {
    if (field.field === 5 || field.field === 10) readTensor(readBytes(field), reading.issues);
    if (field.field === 6 || field.field === 11) readGraph(readBytes(field), reading, depth + 1);
    if (field.field === 22 || field.field === 23) readSparseConstant(readBytes(field), reading);
  }
}

/** Reads a SparseTensorProto, whose name is that of its values. */
function readSparseConstant(bytes: Uint8Array, reading: Reading): string {
  let name = "";
  for (const field of readFields(bytes)) {
    if (field.field === 1) name = readTensor(readBytes(field), reading.issues);
    if (field.field === 2) readTensor(readBytes(field), reading.issues);
  }
  return name;
}

/** Reads a FunctionProto: an operator that the file defines from other operators. */
function readFunction(bytes: Uint8Array, reading: Reading): void {
  for (const field of readFields(bytes)) {
    if (field.field === 7) readNode(readBytes(field), reading, 0);
    if (field.field === 11) readAttribute(readBytes(field), reading, 0);
  }
}

function checkInputs(inputs: OnnxValue[], issues: IssueList): void {
  if (inputs.length === 0) issues.add("no_input", "The model has no input.");
  if (inputs.length > PLACES_MAX)
    issues.add("input_unsupported", `The model has ${inputs.length} inputs. The limit is ${PLACES_MAX}.`);
  for (const { name, kind, elementType, shape } of inputs) {
    const width = (shape ?? [])
      .slice(1)
      .reduce<number>((product, size) => product * (typeof size === "number" ? size : 1), 1);
    if (width > PLACES_MAX)
      issues.add(
        "input_unsupported",
        `The input "${name}" has ${width} columns. The limit is ${PLACES_MAX}.`,
      );
    if (kind !== "tensor") issues.add("input_unsupported", `The input "${name}" is not a tensor.`);
    else if (!elementType || !INPUT_TYPES.has(elementType)) {
      issues.add(
        "input_unsupported",
        `The input "${name}" has the type ${elementType}, which no column can have.`,
      );
    }
  }
}

function checkOutputs(outputs: OnnxValue[], issues: IssueList): void {
  // An output may leave its type to inference. The smoke run then determines it.
  const usable = outputs.some(
    ({ kind, elementType }) => kind === "undeclared" || (kind === "tensor" && elementType !== "string"),
  );
  if (usable) return;
  const names = outputs.map(({ name, kind, elementType }) => `"${name}" (${elementType ?? kind})`).join(", ");
  issues.add(
    "no_numeric_output",
    `No output of the model is a tensor of numbers: ${names || "the model has no outputs"}. Export the model without ZipMap.`,
  );
}
