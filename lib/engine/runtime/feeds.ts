import { Tensor } from "onnxruntime-node";
import type { Column } from "#lib/contract/table";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import type { BoundInput } from "./bindings.ts";
import { rowSizes, type TensorInfo } from "./tensor-info.ts";

/** Rows of a table from `start`, and the number of the caller's rows before the table. */
type Batch = { start: number; filled: number; rowsBefore: number };

/**
 * Creates tensors of `rows` rows: `filled` rows of the table, then copies of the last (for fixed batches).
 */
export function namedFeeds(
  inputs: BoundInput[],
  { start, filled, rowsBefore }: Batch,
  rows: number,
): Record<string, Tensor> {
  const feeds: Record<string, Tensor> = {};
  for (const { info, places } of inputs) {
    const width = places.length;
    const data = emptyData(info, rows * width, rowsBefore);
    places.forEach((column, place) => {
      for (let row = 0; row < rows; row++) {
        data.put(row * width + place, column, start + Math.min(row, filled - 1));
      }
    });
    const sizes = info.shape.length === 0 ? [width] : rowSizes(info, width);
    feeds[info.name] = data.tensor([rows, ...sizes]);
  }
  return feeds;
}

type TensorData = {
  put(at: number, column: Column, row: number): void;
  tensor(dims: number[]): Tensor;
};

/** The input that a value is for, and the number of the caller's rows before the table. */
type Source = { info: TensorInfo; rowsBefore: number };

/** Array of each element type, and its value of a cell. */
const elements: Partial<
  Record<
    Tensor.Type,
    [
      allocate: (length: number) => Tensor.DataType,
      valueAt: (column: Column, row: number, source: Source) => string | number | bigint,
    ]
  >
> = {
  string: [(length) => new Array<string>(length).fill(""), textAt],
  float32: [(length) => new Float32Array(length), numberAt],
  float64: [(length) => new Float64Array(length), numberAt],
  int32: [(length) => new Int32Array(length), wholeAt],
  int64: [
    (length) => new BigInt64Array(length),
    (column, row, source) => BigInt(wholeAt(column, row, source)),
  ],
  bool: [
    (length) => new Uint8Array(length),
    (column, row, source) => Number(wholeAt(column, row, source) !== 0),
  ],
};

/** Allocates values of the input's element type, 0 or empty. */
export function emptyData(info: TensorInfo, length: number, rowsBefore = 0): TensorData {
  const type = info.elementType as Tensor.Type;
  const element = elements[type];
  if (!element)
    throw new ModelInvalid(`The input "${info.name}" has the unsupported type ${info.elementType}.`);
  const [allocate, valueAt] = element;
  const data = allocate(length);
  const source = { info, rowsBefore };
  return {
    put: (at, column, row) => {
      (data as unknown[])[at] = valueAt(column, row, source);
    },
    tensor: (dims) => new Tensor(type, data, dims),
  };
}

function numberAt(column: Column, row: number): number {
  return column.type === "category" ? Number.NaN : column.values[row]!;
}

/** Returns the empty string for a missing text, as exported pipelines expect. */
function textAt(column: Column, row: number): string {
  if (column.type === "category") return column.categories[column.codes[row]!] ?? "";
  const value = column.values[row]!;
  return Number.isNaN(value) ? "" : String(value);
}

function wholeAt(column: Column, row: number, { info, rowsBefore }: Source): number {
  const value = numberAt(column, row);
  if (!Number.isSafeInteger(value)) {
    const place = { row: rowsBefore + row + 1, column: column.name };
    const message = `The input "${info.name}" takes whole numbers, but the feature "${column.name}" is ${value} in row ${place.row}.`;
    throw new ModelInvalid(message, { place });
  }
  return value;
}
