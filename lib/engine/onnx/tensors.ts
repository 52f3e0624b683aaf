import { counted } from "#lib/contract/counted";
import type { FaultList } from "#lib/ml/onnx/faults";
import { tensorType } from "#lib/ml/onnx/tensor-types";
import { ModelInvalid } from "./onnx-errors.ts";
import { readBytes, readFields, readInts, readText } from "./protobuf.ts";

const EXTERNAL = 1;
/** No operator knows more dimensions. */
const MAX_RANK = 32;

/**
 * TensorProto: its name and the bytes that its dimensions ask for. Faults: data in another file, and raw data of
 * another size than declared, by which a small file could make the runtime read past it or fill the memory.
 */
export function readTensor(bytes: Uint8Array, faults: FaultList): { name: string; bytes: number } {
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
    faults.add(
      "external_data",
      `The constant "${name}" lies in another file${location && ` ("${location}")`}. Save the model as one file, with its data inside.`,
    );
  }
  const declared = dims.reduce((product, size) => product * size, 1) * tensorType(type).bytes;
  if (!(declared >= 0) || dims.some((size) => size < 0)) {
    faults.add("tensor_size", `The constant "${name}" has a dimension below 0.`);
    return { name, bytes: 0 };
  }
  const isPresent = rawBytes === null || isExternal || rawBytes === declared;
  if (!isPresent) {
    faults.add(
      "tensor_size",
      `The constant "${name}" should have ${counted(declared, "byte")} and has ${rawBytes}.`,
    );
  } else if (rawBytes === null && !isExternal && declared > 16 * bytes.length) {
    // Typed fields take at least one byte a value, and a value has at most 16.
    faults.add(
      "tensor_size",
      `The constant "${name}" should have ${counted(declared, "byte")}; the file has no room for them.`,
    );
  }
  return { name, bytes: declared };
}

function shortInts(field: Parameters<typeof readInts>[0]): number[] {
  if (field.kind !== "varint" && field.value.length > 10 * MAX_RANK) {
    throw new ModelInvalid(`A constant has more than ${MAX_RANK} dimensions.`);
  }
  return readInts(field);
}

/** StringStringEntryProto: the value under "location". */
function externalLocation(bytes: Uint8Array): string | null {
  let key = "";
  let value = "";
  for (const field of readFields(bytes)) {
    if (field.field === 1) key = readText(field);
    if (field.field === 2) value = readText(field);
  }
  return key === "location" ? value : null;
}
