import { Tensor } from "onnxruntime-node";
import { counted } from "#lib/contract/counted";
import type { Column, Table } from "#lib/contract/table";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { findColumn } from "#lib/engine/table/columns";
import { rowSizes, rowWidth, type TensorInfo } from "./tensor-info.ts";

/** A feature's place in the model: an input by name, and the column (from 0) of a matrix. */
export type InputBinding = { feature: string; input: string; index?: number | undefined };

/** An input with the table column for each of its places. */
type BoundInput = { info: TensorInfo; places: Column[] };

/** Returns the table column for each place of each input. */
export function bindInputs(inputs: TensorInfo[], table: Table, bindings: InputBinding[]): BoundInput[] {
  let named = namedPlaces.get(bindings);
  if (named === undefined) {
    named = namePlaces(inputs, bindings);
    namedPlaces.set(bindings, named);
  }
  return named.map((features, at) => {
    const info = inputs[at]!;
    const places = features.map((feature, place) => {
      const likely = table.columns[place];
      const column = likely?.name === feature ? likely : findColumn(table, feature);
      if (!column) throw new ModelInvalid(`The feature "${feature}" is missing.`);
      checkType(info, column);
      return column;
    });
    return { info, places };
  });
}

/** Caches the places per bindings, because a model's bindings are the same for every prediction. */
const namedPlaces = new WeakMap<InputBinding[], string[][]>();

/** Returns the feature for each place of each input. */
function namePlaces(inputs: TensorInfo[], bindings: InputBinding[]): string[][] {
  const stray = bindings.find(({ input }) => !inputs.some((info) => info.name === input));
  if (stray) {
    const names = inputs.map((info) => `"${info.name}"`).join(", ");
    throw new ModelInvalid(`The model has no input "${stray.input}". Its inputs are ${names}.`);
  }
  return inputs.map((info) => {
    const own = bindings.filter(({ input }) => input === info.name);
    const width = rowWidth(info) ?? own.reduce((most, { index = 0 }) => Math.max(most, index + 1), 0);
    const places = Array.from({ length: width }, (_, place) => {
      const binding = own.find(({ index = 0 }) => index === place);
      if (!binding) throw new ModelInvalid(`${placeName(info, place, width)} is not bound to a feature.`);
      return binding.feature;
    });
    const beyond = own.find(({ index = 0 }) => index >= width);
    if (beyond) {
      throw new ModelInvalid(
        `The feature "${beyond.feature}" is bound to column ${beyond.index} of the input "${info.name}", which has ${counted(width, "column")}.`,
      );
    }
    return places;
  });
}

/**
 * Creates tensors of `rows` rows: `filled` rows of the table from `start`, then copies of the last (for fixed
 * batches).
 */
export function namedFeeds(
  inputs: BoundInput[],
  start: number,
  filled: number,
  rows: number,
): Record<string, Tensor> {
  const feeds: Record<string, Tensor> = {};
  for (const { info, places } of inputs) {
    const width = places.length;
    const data = emptyData(info, rows * width);
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

/** Array of each element type, and its value of a cell. */
const elements: Partial<
  Record<
    Tensor.Type,
    [
      allocate: (length: number) => Tensor.DataType,
      valueAt: (column: Column, row: number, info: TensorInfo) => string | number | bigint,
    ]
  >
> = {
  string: [(length) => new Array<string>(length).fill(""), textAt],
  float32: [(length) => new Float32Array(length), numberAt],
  float64: [(length) => new Float64Array(length), numberAt],
  int32: [(length) => new Int32Array(length), wholeAt],
  int64: [(length) => new BigInt64Array(length), (column, row, info) => BigInt(wholeAt(column, row, info))],
  bool: [(length) => new Uint8Array(length), (column, row, info) => Number(wholeAt(column, row, info) !== 0)],
};

/** Allocates values of the input's element type, 0 or empty. */
export function emptyData(info: TensorInfo, length: number): TensorData {
  const type = info.elementType as Tensor.Type;
  const element = elements[type];
  if (!element)
    throw new ModelInvalid(`The input "${info.name}" has the unsupported type ${info.elementType}.`);
  const [allocate, valueAt] = element;
  const data = allocate(length);
  return {
    put: (at, column, row) => {
      (data as unknown[])[at] = valueAt(column, row, info);
    },
    tensor: (dims) => new Tensor(type, data, dims),
  };
}

function checkType(info: TensorInfo, column: Column): void {
  if (info.elementType !== "string" && column.type === "category") {
    throw new ModelInvalid(
      `The input "${info.name}" takes numbers, but the feature "${column.name}" is text.`,
    );
  }
}

function numberAt(column: Column, row: number): number {
  return column.type === "category" ? Number.NaN : column.values[row]!;
}

/** Converts a column of numbers to float32. */
export function float32Values(column: Column): Float32Array {
  return column.type === "category"
    ? new Float32Array(column.codes.length).fill(Number.NaN)
    : new Float32Array(column.values);
}

/** Returns the empty string for a missing text, as exported pipelines expect. */
function textAt(column: Column, row: number): string {
  if (column.type === "category") return column.categories[column.codes[row]!] ?? "";
  const value = column.values[row]!;
  return Number.isNaN(value) ? "" : String(value);
}

function wholeAt(column: Column, row: number, info: TensorInfo): number {
  const value = numberAt(column, row);
  if (!Number.isSafeInteger(value)) {
    throw new ModelInvalid(
      `The input "${info.name}" takes whole numbers, but the feature "${column.name}" is ${value} in row ${row + 1}.`,
    );
  }
  return value;
}

function placeName(info: TensorInfo, place: number, width: number): string {
  return width === 1 ? `The input "${info.name}"` : `Column ${place} of the input "${info.name}"`;
}
