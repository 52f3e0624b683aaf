import { messagesOf, type ProtobufField, readBytes, readFields, readInts, readText } from "./protobuf.ts";

/** A column of an input, from 0. */
type Place = { input: string; index: number };

type Node = { operator: string; inputs: string[]; outputs: string[]; attributes: Uint8Array[] };

/** Columns and numbers that are followed. A hostile file may double them with each node. */
const PLACES_MAX = 10_000;
/** Operators whose first input they pass on, column by column. */
const PASSING = new Set(["Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Cast"]);
/** Operators that look up texts, and the attribute with those that they know. */
const TABLES: Record<string, string> = {
  OneHotEncoder: "cats_strings",
  LabelEncoder: "keys_strings",
  CategoryMapper: "cats_strings",
};
/** Operators that choose columns of their first input by the numbers in the second. */
const CHOOSING = new Set(["ArrayFeatureExtractor", "Gather"]);

/**
 * Returns the texts that a model looks up, by input and column. For example, a model whose input `sky` goes to an encoder of
 * `clear` and `rain` gives `sky 0` these two. Columns whose texts go elsewhere are absent.
 *
 * @param widths number of columns of each input
 */
export function knownTexts(bytes: Uint8Array, widths: ReadonlyMap<string, number>): Map<string, string[]> {
  const [graph] = messagesOf(bytes, 7);
  const found = new Map<string, string[]>();
  if (graph === undefined) return found;
  const numbers = new Map(messagesOf(graph, 5).map(readNumbers));
  const columns = new Map<string, Place[]>();
  for (const [input, width] of widths)
    columns.set(
      input,
      Array.from({ length: width }, (_, index) => ({ input, index })),
    );
  // Nodes are in the order of their inputs.
  for (const node of messagesOf(graph, 1).map(readNode)) {
    const table = TABLES[node.operator];
    const places = placesOf(node, columns, numbers);
    if (table === undefined) {
      if (places !== null && node.outputs[0] !== undefined) columns.set(node.outputs[0], places);
      if (node.operator === "Constant") readConstant(node, numbers);
      continue;
    }
    const texts = textsOf(node, table);
    if (texts.length === 0) continue;
    for (const { input, index } of columns.get(node.inputs[0] ?? "") ?? [])
      found.set(`${input} ${index}`, texts);
  }
  return found;
}

/** Returns the columns of inputs in the output of a node, in order; null if it computes something else. */
function placesOf(
  { operator, inputs }: Node,
  columns: ReadonlyMap<string, Place[]>,
  numbers: ReadonlyMap<string, number[]>,
): Place[] | null {
  const [first, second] = inputs;
  if (PASSING.has(operator)) return columns.get(first ?? "") ?? null;
  if (operator === "Concat") {
    const parts = inputs.map((input) => columns.get(input));
    const count = parts.reduce((sum, part) => sum + (part?.length ?? Infinity), 0);
    return count <= PLACES_MAX ? parts.flatMap((part) => part!) : null;
  }
  const [from, chosen] = [columns.get(first ?? ""), numbers.get(second ?? "")];
  if (!CHOOSING.has(operator) || from === undefined || chosen === undefined) return null;
  return chosen.flatMap((index) => from[index] ?? []);
}

function readNode(bytes: Uint8Array): Node {
  const node: Node = { operator: "", inputs: [], outputs: [], attributes: [] };
  for (const field of readFields(bytes)) {
    if (field.field === 1) node.inputs.push(readText(field));
    if (field.field === 2) node.outputs.push(readText(field));
    if (field.field === 4) node.operator = readText(field);
    if (field.field === 5) node.attributes.push(readBytes(field));
  }
  return node;
}

const fieldsOf = (bytes: Uint8Array, wanted: number): ProtobufField[] =>
  Array.from(readFields(bytes)).filter(({ field }) => field === wanted);

/** Returns the texts of an attribute. */
function textsOf({ attributes }: Node, name: string): string[] {
  const attribute = attributes.find((bytes) => fieldsOf(bytes, 1).some((field) => readText(field) === name));
  return attribute === undefined ? [] : fieldsOf(attribute, 9).map(readText);
}

/** Returns name and values of a TensorProto of 64-bit integers; other tensors have no values. */
function readNumbers(bytes: Uint8Array): [name: string, values: number[]] {
  const name = fieldsOf(bytes, 8).map(readText)[0] ?? "";
  const raw = fieldsOf(bytes, 9)[0];
  if (raw === undefined) return [name, fieldsOf(bytes, 7).flatMap(readInts).slice(0, PLACES_MAX)];
  const data = readBytes(raw);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const isInt64 = fieldsOf(bytes, 2).some((field) => readInts(field)[0] === 7);
  const count = isInt64 ? Math.min(PLACES_MAX, Math.floor(data.length / 8)) : 0;
  return [name, Array.from({ length: count }, (_, at) => Number(view.getBigInt64(8 * at, true)))];
}

function readConstant({ outputs, attributes }: Node, numbers: Map<string, number[]>): void {
  const [tensor] = attributes.flatMap((bytes) => messagesOf(bytes, 5));
  if (tensor !== undefined && outputs[0] !== undefined) numbers.set(outputs[0], readNumbers(tensor)[1]);
}
