import { ModelInvalid } from "./onnx-errors.ts";
import { messagesOf, ProtobufWriter, readBytes, readFields, readInts, readText } from "./protobuf.ts";

const FLOAT = 1;
const LABELS_MAX = 10_000;

/** An output that is a map from class to probability, with its classes in column order. */
export type ZipMap = { output: string; labels: string[] };

/** Used if the file names no version of the standard operators. Every version has Identity. */
const OPSET_VERSION = 13;

/**
 * Replaces a ZipMap output by the probability matrix that the ZipMap reads: one column per class, in the model's
 * order. A ZipMap output is a map from class to probability per row, the default of scikit-learn's exporters.
 *
 * @returns the changed model, or null if no ZipMap produces the output
 */
export function openZipMap(bytes: Uint8Array, output: string): Uint8Array | null {
  let source: string | null = null;
  let hasStandard = false;
  for (const field of readFields(bytes)) {
    if (field.field === 7) source = zipMapSource(readBytes(field), output);
    if (field.field === 8) hasStandard ||= isStandard(readBytes(field));
  }
  if (source === null) return null;
  const probabilities = source;
  const model = rewritten(bytes, (field, value) =>
    field === 7 ? openedGraph(value, output, probabilities).finish() : value,
  );
  if (!hasStandard) model.message(8, new ProtobufWriter().string(1, "").int(2, OPSET_VERSION));
  return model.finish();
}

/** Returns the ZipMaps of the model's graph. */
export function readZipMaps(bytes: Uint8Array): ZipMap[] {
  return messagesOf(bytes, 7).flatMap((graph) => {
    const outputs = new Set(messagesOf(graph, 12).map(nameOf));
    return messagesOf(graph, 1).flatMap((node) => {
      const { operator, outputs: written } = readNode(node);
      const output = written[0];
      if (operator !== "ZipMap" || output === undefined || !outputs.has(output)) return [];
      return [{ output, labels: messagesOf(node, 5).flatMap(readLabels).slice(0, LABELS_MAX) }];
    });
  });
}

/** Reads the strings or integers of an AttributeProto, which are a ZipMap's classes. */
function readLabels(attribute: Uint8Array): string[] {
  const labels: string[] = [];
  for (const field of readFields(attribute)) {
    if (field.field === 8) for (const value of readInts(field)) labels.push(String(value));
    if (field.field === 9) labels.push(readText(field));
  }
  return labels;
}

function openedGraph(bytes: Uint8Array, output: string, source: string): ProtobufWriter {
  return rewritten(bytes, (field, value) => {
    if (field === 1 && readNode(value).outputs.includes(output)) {
      return new ProtobufWriter().string(1, source).string(2, output).string(4, "Identity").finish();
    }
    if (field === 12 && nameOf(value) === output) return floatOutput(output).finish();
    return value;
  });
}

/** Declares a tensor of float32. The runtime infers its sizes. */
function floatOutput(name: string): ProtobufWriter {
  const tensor = new ProtobufWriter().int(1, FLOAT);
  return new ProtobufWriter().string(1, name).message(2, new ProtobufWriter().message(1, tensor));
}

function zipMapSource(graph: Uint8Array, output: string): string | null {
  for (const field of readFields(graph)) {
    if (field.field !== 1) continue;
    const { operator, inputs, outputs } = readNode(readBytes(field));
    if (operator === "ZipMap" && outputs.includes(output)) return inputs[0] ?? null;
  }
  return null;
}

function readNode(bytes: Uint8Array): { operator: string; inputs: string[]; outputs: string[] } {
  const node = { operator: "", inputs: [] as string[], outputs: [] as string[] };
  for (const field of readFields(bytes)) {
    if (field.field === 1) node.inputs.push(readText(field));
    if (field.field === 2) node.outputs.push(readText(field));
    if (field.field === 4) node.operator = readText(field);
  }
  return node;
}

function nameOf(bytes: Uint8Array): string {
  for (const field of readFields(bytes)) if (field.field === 1) return readText(field);
  return "";
}

/** Returns whether an OperatorSetIdProto has no domain or names the standard one. */
function isStandard(bytes: Uint8Array): boolean {
  return ["", "ai.onnx"].includes(nameOf(bytes));
}

/** Copies a message with some of its embedded messages changed. */
function rewritten(
  bytes: Uint8Array,
  change: (field: number, value: Uint8Array) => Uint8Array,
): ProtobufWriter {
  const copy = new ProtobufWriter();
  for (const field of readFields(bytes)) {
    if (field.kind === "varint") copy.int(field.field, Number(BigInt.asIntN(64, field.value)));
    else if (field.kind === "bytes") copy.bytes(field.field, change(field.field, field.value));
    else throw new ModelInvalid("The file is not an ONNX model: it has a number in place of a message.");
  }
  return copy;
}
