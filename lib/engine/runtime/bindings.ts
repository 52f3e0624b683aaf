import { counted } from "#lib/contract/counted";
import type { Column, Table } from "#lib/contract/table";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { findColumn } from "#lib/engine/table/columns";
import { rowWidth, type TensorInfo } from "./tensor-info.ts";

/** A feature's place in the model: an input by name, and the column (from 0) of a matrix. */
export type InputBinding = { feature: string; input: string; index?: number | undefined };

/** An input with the table column for each of its places. */
export type BoundInput = { info: TensorInfo; places: Column[] };

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
    const outOfRange = own.find(({ index = 0 }) => index >= width);
    if (outOfRange) {
      throw new ModelInvalid(
        `The feature "${outOfRange.feature}" is bound to column ${outOfRange.index} of the input "${info.name}", which has ${counted(width, "column")}.`,
      );
    }
    return places;
  });
}

/** Converts a column of numbers to float32. */
export function float32Values(column: Column): Float32Array {
  return column.type === "category"
    ? new Float32Array(column.codes.length).fill(Number.NaN)
    : new Float32Array(column.values);
}

function checkType(info: TensorInfo, column: Column): void {
  if (info.elementType !== "string" && column.type === "category") {
    throw new ModelInvalid(
      `The input "${info.name}" takes numbers, but the feature "${column.name}" is text.`,
    );
  }
}

function placeName(info: TensorInfo, place: number, width: number): string {
  return width === 1 ? `The input "${info.name}"` : `Column ${place} of the input "${info.name}"`;
}
