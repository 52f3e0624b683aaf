import { type ProtobufField, readBytes, readFields, readInts, readText } from "#lib/engine/onnx/protobuf";
import { tensorType } from "./tensor-types.ts";

/** An input or output of a graph, as it is declared. */
export type OnnxValue = {
  name: string;
  kind: "tensor" | "sequence" | "map" | "other" | "undeclared";
  /** For a tensor: float32, float64, int64, string, … */
  elementType: string | null;
  /** Sizes, the names of those left open, or null for one without either; null for an unknown rank. */
  shape: (number | string | null)[] | null;
};

/** ValueInfoProto (field numbers here and below: onnx.proto). */
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
