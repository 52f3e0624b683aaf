import type { ImportModel } from "#lib/contract/import-model";
import type { ColumnType } from "#lib/contract/table";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import type { InputBinding } from "./bindings.ts";
import { rowWidth, type TensorInfo } from "./tensor-info.ts";

/** Mapping of a feature to an input of an imported model. Omitted parts are derived from the model if possible. */
export type InputMapping = NonNullable<ImportModel["inputs"]>[number];

export type BoundFeature = { binding: InputBinding; type: ColumnType };

/**
 * Completes a mapping. Without `input`, uses the input with the feature's name, or else the only input. Without
 * `index`, uses the next free column. Without any mapping, features are named after the inputs; columns of a matrix
 * get a number.
 *
 * @throws ModelInvalid if that is impossible; the message names the feature or input
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
        `Column ${place} of the input "${info.name}" is mapped to two features. Map "${feature}" to another column.`,
      );
    }
    used.add(place);
    return { binding: { feature, input: info.name, index: place }, type: type ?? featureType(info) };
  });
}

function targetInput(inputs: TensorInfo[], feature: string, input: string | undefined): TensorInfo {
  const match = inputs.find(({ name }) => name === (input ?? feature));
  if (match) return match;
  if (input === undefined && inputs.length === 1) return inputs[0]!;
  const names = inputs.map(({ name }) => `"${name}"`).join(", ");
  throw new ModelInvalid(
    input === undefined
      ? `The feature "${feature}" has no input. Choose one of the model's inputs: ${names}.`
      : `The model has no input "${input}" for the feature "${feature}"; it has ${names}.`,
  );
}

function defaultFeatures(info: TensorInfo): BoundFeature[] {
  const width = rowWidth(info);
  if (width === null) throw openWidth(info);
  return Array.from({ length: width }, (_, index) => ({
    binding: { feature: width === 1 ? info.name : `${info.name}_${index}`, input: info.name, index },
    type: featureType(info),
  }));
}

/** Returns the error for an input whose number of columns neither the model nor the mapping states. */
export function openWidth({ name, shape }: TensorInfo): ModelInvalid {
  return new ModelInvalid(
    `The model does not declare the number of columns of the input "${name}" [${shape.join(", ")}]. List its features in inputs, in the model's order.`,
  );
}

function featureType(info: TensorInfo): ColumnType {
  if (info.elementType === "string") return "category";
  return info.elementType === "bool" ? "boolean" : "number";
}
