import type { ColumnType } from "#lib/contract/table";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import type { InputBinding, TensorInfo } from "#lib/engine/runtime/session";
import { rowWidth } from "#lib/engine/runtime/tensor-info";

/** Where a feature goes in a model from outside. What is left out follows from the model where it can. */
export type InputMapping = {
  feature: string;
  input?: string | undefined;
  /** Column of a matrix input, from 0. */
  index?: number | undefined;
  type?: ColumnType | undefined;
};

export type BoundFeature = { binding: InputBinding; type: ColumnType };

/**
 * Completes a mapping: without `input` the input that is called like the feature, else the only one; without `index`
 * the next free column. Without any mapping features are named after the inputs, columns of a matrix with a number.
 * @throws ModelInvalid where that is not possible, naming the feature or input.
 */
export function completeBindings(
  inputs: TensorInfo[],
  mappings: readonly InputMapping[] = [],
): BoundFeature[] {
  if (mappings.length === 0) return inputs.flatMap(defaultFeatures);
  const taken = new Map<string, Set<number>>();
  const names = new Set<string>();
  return mappings.map(({ feature, input, index, type }) => {
    if (names.has(feature)) throw new ModelInvalid(`The feature "${feature}" is mapped twice.`);
    names.add(feature);
    const info = targetInput(inputs, feature, input);
    const used = taken.get(info.name) ?? new Set<number>();
    taken.set(info.name, used);
    let place = index ?? 0;
    while (index === undefined && used.has(place)) place++;
    if (used.has(place)) {
      throw new ModelInvalid(
        `Column ${place} of the input "${info.name}" is mapped to two features; "${feature}" is one.`,
      );
    }
    used.add(place);
    return { binding: { feature, input: info.name, index: place }, type: type ?? featureType(info) };
  });
}

function targetInput(inputs: TensorInfo[], feature: string, input: string | undefined): TensorInfo {
  const found = inputs.find(({ name }) => name === (input ?? feature));
  if (found) return found;
  if (input === undefined && inputs.length === 1) return inputs[0]!;
  const names = inputs.map(({ name }) => `"${name}"`).join(", ");
  throw new ModelInvalid(
    input === undefined
      ? `It is not said which input takes the feature "${feature}"; the model has ${names}.`
      : `The model has no input "${input}" for the feature "${feature}"; it has ${names}.`,
  );
}

function defaultFeatures(info: TensorInfo): BoundFeature[] {
  const width = rowWidth(info);
  if (width === null) {
    throw new ModelInvalid(
      `The model does not say how many columns the input "${info.name}" has: name its features.`,
    );
  }
  return Array.from({ length: width }, (_, index) => ({
    binding: { feature: width === 1 ? info.name : `${info.name}_${index}`, input: info.name, index },
    type: featureType(info),
  }));
}

function featureType(info: TensorInfo): ColumnType {
  if (info.elementType === "string") return "category";
  return info.elementType === "bool" ? "boolean" : "number";
}
