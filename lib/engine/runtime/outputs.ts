import type { Tensor } from "onnxruntime-node";
import { counted } from "#lib/contract/counted";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { rowWidth, type TensorInfo } from "./tensor-info.ts";

/** The output and its column to use as prediction. Without a choice, the only candidate is used. */
export type OutputChoice = { output?: string; column?: number };

/** @param column counts from 0 */
export function outputChoice(output: string | null, column: number | null): OutputChoice {
  return { ...(output !== null && { output }), ...(column !== null && { column }) };
}

/**
 * Returns the output to read predictions from: the named one, otherwise the first of floating-point numbers (a
 * classifier's probabilities rather than its labels), otherwise the first of whole numbers.
 */
export function chooseOutput(outputs: TensorInfo[], choice: OutputChoice): TensorInfo {
  if (choice.output !== undefined) {
    const named = outputs.find(({ name }) => name === choice.output);
    if (!named) throw new ModelInvalid(`The model has no output "${choice.output}".`);
    if (!isNumeric(named)) throw new ModelInvalid(`The output "${named.name}" is not a tensor of numbers.`);
    return named;
  }
  const numeric = outputs.filter(isNumeric);
  const chosen = numeric.find(isFloat) ?? numeric[0];
  if (!chosen) throw new ModelInvalid("None of the model's outputs is a tensor of numbers.");
  return chosen;
}

/** Maximum number of values that a model may return for one batch: 1,200 classes of 8,192 rows, for example. */
const OUTPUT_VALUES_MAX = 10_000_000;

/**
 * Returns one number per row from a result of `rows` rows, by the dimensions returned. Of two columns without a
 * choice, uses the second: the probability of the positive class.
 */
export function valuesOf(result: Tensor, rows: number, choice: OutputChoice): Float64Array {
  const { data, dims } = result;
  if (data.length > OUTPUT_VALUES_MAX) {
    throw new ModelInvalid(
      `The model returned ${data.length.toLocaleString("en")} values for ${counted(rows, "row")}. At most ${OUTPUT_VALUES_MAX.toLocaleString("en")} are supported. Export only the output that holds the prediction.`,
    );
  }
  const width = data.length / rows;
  if (!Number.isInteger(width) || width === 0 || (dims[0] !== rows && data.length !== rows)) {
    throw new ModelInvalid(`The model returned values of the shape [${dims}] for ${counted(rows, "row")}.`);
  }
  const column = choice.column ?? (width <= 2 ? width - 1 : -1);
  if (column < 0 || column >= width) {
    throw new ModelInvalid(
      `The model returns ${width} values per row. Set outputColumn (0 to ${width - 1}) to the prediction.`,
    );
  }
  const values = new Float64Array(rows);
  for (let row = 0; row < rows; row++) values[row] = Number(data[row * width + column]);
  return values;
}

export function isFloat({ elementType }: TensorInfo): boolean {
  return elementType?.startsWith("float") ?? false;
}

export function isNumeric(info: TensorInfo): boolean {
  return info.elementType !== null && info.elementType !== "string" && rowWidth(info) !== 0;
}
