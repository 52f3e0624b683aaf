import type { OutputOption } from "#lib/contract/import-model";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import type { ZipMap } from "#lib/engine/onnx/open-zip-map";
import { chooseOutput, isFloat, isNumeric, type OutputChoice } from "./outputs.ts";
import type { SmokeOutput, Tried } from "./smoke-run.ts";
import type { TensorInfo } from "./tensor-info.ts";

/** Maximum number of options to list. */
const OPTIONS_MAX = 100;

/**
 * Checks that the choice leaves one output and one column as the prediction. Without a choice, one output of
 * floating-point numbers is enough, of two probabilities the second.
 *
 * @returns probabilities that the model also has, if it would predict labels because they are in a ZipMap
 * @throws ModelInvalid with the options if several remain
 */
export function requireOutput(
  { outputs, sample, zipMaps }: Pick<Tried, "outputs" | "sample"> & { zipMaps: readonly ZipMap[] },
  choice: OutputChoice,
): OutputOption[] {
  const numeric = outputs.filter(isNumeric);
  const floats = numeric.filter(isFloat);
  const optionsOf = (among: readonly TensorInfo[]) =>
    among.flatMap((output) => columnsOf(output, sample, zipMaps));
  if (choice.output !== undefined && !outputs.some(({ name }) => name === choice.output))
    throw ask(`The model has no output "${choice.output}".`, optionsOf(numeric));
  if (choice.output === undefined && (floats.length || numeric.length) > 1)
    throw ask("Several outputs of the model can be the prediction.", optionsOf(numeric));
  const chosen = chooseOutput(outputs, choice);
  const columns = columnsOf(chosen, sample, zipMaps);
  const { column } = choice;
  if (column !== undefined && column >= columns.length)
    throw ask(`The output "${chosen.name}" has no column ${column}.`, columns);
  if (column === undefined && columns.length > 1 && !hasTwoClasses(chosen, columns, { outputs, sample }))
    throw ask(`The output "${chosen.name}" has several values per row.`, columns);
  return choice.output === undefined && !isFloat(chosen)
    ? zipMaps.flatMap(classesOf).slice(0, OPTIONS_MAX)
    : [];
}

/** Returns the error for a model whose only outputs are maps from class to probability. */
export function askForClass(zipMaps: readonly ZipMap[]): ModelInvalid {
  const reason = "No output of the model is a tensor of numbers, but a ZipMap holds probabilities.";
  return ask(reason, zipMaps.flatMap(classesOf));
}

function ask(reason: string, options: OutputOption[]): ModelInvalid {
  const listed = options.slice(0, OPTIONS_MAX);
  const more = options.length > listed.length ? `\n- … ${options.length - listed.length} more` : "";
  const message = `${reason} Set output and outputColumn to one of:\n${listed.map(optionText).join("\n")}${more}`;
  return new ModelInvalid(message, { outputOptions: listed });
}

function optionText({ output, outputColumn, label, elementType, shape }: OutputOption): string {
  const column = outputColumn === null ? "" : `, outputColumn ${outputColumn}`;
  const of = label === null ? "" : `, class ${JSON.stringify(label)}`;
  return `- output ${JSON.stringify(output)}${column}${of}: ${elementType} [${shape.join(", ")}]`;
}

/** Returns one option per column that the sample's output has. */
function columnsOf(
  { name, elementType, shape }: TensorInfo,
  sample: readonly SmokeOutput[],
  zipMaps: readonly ZipMap[],
): OutputOption[] {
  const [rows = 1, ...sizes] = sample.find((output) => output.name === name)?.dims ?? [];
  const width = rows === 0 ? 1 : sizes.reduce((product, size) => product * size, 1);
  const labels = zipMaps.find(({ output }) => output === name)?.labels ?? [];
  return Array.from({ length: Math.max(1, width) }, (_, column) => ({
    output: name,
    outputColumn: width > 1 ? column : null,
    label: labels[column] ?? null,
    elementType: elementType ?? "map",
    // The declaration of an opened ZipMap has no sizes.
    shape: shape.length === 0 && width > 1 ? ["?", ...sizes] : [...shape],
  }));
}

function classesOf({ output, labels }: ZipMap): OutputOption[] {
  return labels.map((label, outputColumn) => ({
    output,
    outputColumn,
    label,
    elementType: "float32",
    shape: ["?", labels.length],
  }));
}

/** Returns whether two columns are a classifier's: another output holds labels, or the values are probabilities. */
function hasTwoClasses(
  { name }: TensorInfo,
  columns: readonly OutputOption[],
  { outputs, sample }: Pick<Tried, "outputs" | "sample">,
): boolean {
  if (columns.length !== 2) return false;
  if (outputs.some((other) => other.name !== name && /^(int|string|bool)/.test(other.elementType ?? "")))
    return true;
  const values = (sample.find((output) => output.name === name)?.values ?? []).map(Number);
  return values.every((value, at) => {
    const sum = value + values[at % 2 === 0 ? at + 1 : at - 1]!;
    return value >= 0 && value <= 1 && Math.abs(sum - 1) < 1e-3;
  });
}
