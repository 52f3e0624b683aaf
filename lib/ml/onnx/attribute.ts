import { ProtobufWriter } from "#lib/engine/onnx/protobuf";

/** AttributeProto and its AttributeType numbers (onnx.proto). */
const TYPE = { int: 2, string: 3, floats: 6, ints: 7, strings: 8 };

export function intAttribute(name: string, value: number): ProtobufWriter {
  return new ProtobufWriter().string(1, name).int(3, value).int(20, TYPE.int);
}

export function stringAttribute(name: string, value: string): ProtobufWriter {
  return new ProtobufWriter().string(1, name).string(4, value).int(20, TYPE.string);
}

export function floatsAttribute(name: string, values: ArrayLike<number>): ProtobufWriter {
  return new ProtobufWriter().string(1, name).packedFloats(7, values).int(20, TYPE.floats);
}

export function intsAttribute(name: string, values: ArrayLike<number>): ProtobufWriter {
  return new ProtobufWriter().string(1, name).packedInts(8, values).int(20, TYPE.ints);
}

export function stringsAttribute(name: string, values: string[]): ProtobufWriter {
  const attribute = new ProtobufWriter().string(1, name);
  // Of many texts nearly all are the same few.
  const encoded = new Map(Array.from(new Set(values), (value) => [value, new TextEncoder().encode(value)]));
  for (const value of values) attribute.bytes(9, encoded.get(value)!);
  return attribute.int(20, TYPE.strings);
}
