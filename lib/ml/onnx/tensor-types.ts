/** TensorProto.DataType by number: the runtime's name for it and the bytes of a value (a string's do not count). */
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

/** Element types of inputs that a table's columns can be turned into. */
export const INPUT_TYPES = new Set(["float32", "float64", "int64", "int32", "bool", "string"]);

export function tensorType(number: number): { name: string; bytes: number } {
  return TENSOR_TYPES[number] ?? { name: `type ${number}`, bytes: 1 };
}
