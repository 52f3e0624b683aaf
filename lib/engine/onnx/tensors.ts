import { counted } from "#lib/contract/counted";
import { type IssueList, ModelInvalid } from "./onnx-errors.ts";
import { type ProtobufField, readBytes, readFields, readInts, readText } from "./protobuf.ts";

/** Names of TensorProto.DataType in the runtime, by number, and the bytes of a value (0 for strings of any length). */
const TENSOR_TYPES: Record<number, { name: string; bytes: number }> = {
  1: { name: "float32", bytes: 4 },
  2: { name: "uint8", bytes: 1 },
  3: { name: "int8", bytes: 1 },
  4: { name: "uint16", bytes: 2 },
  5: { name: "int16", bytes: 2 },
  6: { name: "int32", bytes: 4 },
  7: { name: "int64", bytes: 8 },
  8: { name: "string", bytes: 0 },
  9: { name: "bool", bytes: 1 },
  10: { name: "float16", bytes: 2 },
  11: { name: "float64", bytes: 8 },
  12: { name: "uint32", bytes: 4 },
  13: { name: "uint64", bytes: 8 },
  14: { name: "complex64", bytes: 8 },
  15: { name: "complex128", bytes: 16 },
  16: { name: "bfloat16", bytes: 2 },
};

/** Element types of inputs to which a table's columns can be converted. */
export const INPUT_TYPES = new Set(["float32", "float64", "int64", "int32", "bool", "string"]);

function tensorType(number: number): { name: string; bytes: number } {
  return TENSOR_TYPES[number] ?? { name: `type ${number}`, bytes: 1 };
}

const EXTERNAL = 1;
/** No operator accepts more dimensions. */
const MAX_RANK = 32;

/**
 * Reads a TensorProto and returns its name. Adds issues for data in another file, and for raw data of another size than declared: a small file could make the runtime read past its end or fill the memory.
 */
export function readTensor(bytes: Uint8Array, issues: IssueList): string {
  const dims: number[] = [];
  let type = 0;
  let name = "";
  let rawBytes: number | null = null;
  let isExternal = false;
  let location = "";
  for (const field of readFields(bytes)) {
    if (field.field === 1) dims.push(...shortInts(field));
    if (field.field === 2) type = readInts(field)[0] ?? 0;
    if (field.field === 8) name = readText(field);
    if (field.field === 9) rawBytes = readBytes(field).length;
    if (field.field === 13) {
      isExternal = true;
      location = externalLocation(readBytes(field)) ?? location;
    }
    if (field.field === 14 && readInts(field)[0] === EXTERNAL) isExternal = true;
  }
  if (dims.length > MAX_RANK)
    throw new ModelInvalid(`The constant "${name}" has more than ${MAX_RANK} dimensions.`);
  if (isExternal) {
    issues.add(
      "external_data",
      `The constant "${name}" lies in another file${location && ` ("${location}")`}. Save the model as one file, with its data inside.`,
    );
  }
  const declared = dims.reduce((product, size) => product * size, 1) * tensorType(type).bytes;
  if (!(declared >= 0) || dims.some((size) => size < 0)) {
    issues.add("tensor_size", `The constant "${name}" has a dimension below 0.`);
    return name;
  }
  const isPresent = rawBytes === null || isExternal || rawBytes === declared;
  if (!isPresent) {
    issues.add(
      "tensor_size",
      `The constant "${name}" should have ${counted(declared, "byte")} and has ${rawBytes}.`,
    );
  } else if (rawBytes === null && !isExternal && declared > 16 * bytes.length) {
    // Typed fields take at least one byte a value, and a value has at most 16.
    issues.add(
      "tensor_size",
      `The constant "${name}" should have ${counted(declared, "byte")}; the file has no room for them.`,
    );
  }
  return name;
}

function shortInts(field: Parameters<typeof readInts>[0]): number[] {
  if (field.kind !== "varint" && field.value.length > 10 * MAX_RANK) {
    throw new ModelInvalid(`A constant has more than ${MAX_RANK} dimensions.`);
  }
  return readInts(field);
}

/** Returns the value of a StringStringEntryProto with the key "location"; null for another key. */
function externalLocation(bytes: Uint8Array): string | null {
  let key = "";
  let value = "";
  for (const field of readFields(bytes)) {
    if (field.field === 1) key = readText(field);
    if (field.field === 2) value = readText(field);
  }
  return key === "location" ? value : null;
}

/** An input or output of a graph, as it is declared. */
export type OnnxValue = {
  name: string;
  kind: "tensor" | "sequence" | "map" | "other" | "undeclared";
  /** For a tensor: float32, float64, int64, string, … */
  elementType: string | null;
  /** Per dimension: its size, the name of an open size, or null without a name. Null for an unknown rank. */
  shape: (number | string | null)[] | null;
};

/** Reads a ValueInfoProto (field numbers here and below: onnx.proto). */
export function readValueInfo(bytes: Uint8Array): OnnxValue {
  const value: OnnxValue = { name: "", kind: "undeclared", elementType: null, shape: null };
  for (const field of readFields(bytes)) {
    if (field.field === 1) value.name = readText(field);
    if (field.field === 2) Object.assign(value, readType(readBytes(field)));
  }
  return value;
}

function readType(bytes: Uint8Array): Partial<OnnxValue> {
  for (const field of readFields(bytes)) {
    if (field.field === 1) return { kind: "tensor", ...readTensorType(readBytes(field)) };
    if (field.field === 4) return { kind: "sequence" };
    if (field.field === 5) return { kind: "map" };
    if (field.field >= 7 && field.field <= 9) return { kind: "other" };
  }
  return {};
}

function readTensorType(bytes: Uint8Array): Pick<OnnxValue, "elementType" | "shape"> {
  let elementType: string | null = null;
  let shape: OnnxValue["shape"] = null;
  for (const field of readFields(bytes)) {
    if (field.field === 1) elementType = tensorType(firstInt(field)).name;
    if (field.field === 2) shape = readShape(readBytes(field));
  }
  return { elementType, shape };
}

function readShape(bytes: Uint8Array): (number | string | null)[] {
  const shape: (number | string | null)[] = [];
  for (const dimension of readFields(bytes)) {
    if (dimension.field !== 1) continue;
    let size: number | string | null = null;
    for (const field of readFields(readBytes(dimension))) {
      if (field.field === 1) size = firstInt(field);
      if (field.field === 2) size = readText(field);
    }
    shape.push(size);
  }
  return shape;
}

function firstInt(field: ProtobufField): number {
  return readInts(field)[0] ?? 0;
}
