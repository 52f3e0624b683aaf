import { isDeepStrictEqual } from "node:util";
import type { FeatureEngineering } from "#lib/contract/models";
import type { Column, Table } from "#lib/contract/table";
import {
  defaultInputFormat,
  InputFormatSchema,
  inputFormatFileName,
  presentInputFormat,
} from "#lib/domain/models/input-format";
import { generateInputs } from "#lib/engine/forecasting/generate-inputs";
import { GenerationImpossible } from "#lib/engine/forecasting/generation";
import { checkFiles, checkJson } from "#lib/engine/inference/check-files";
import type { ModelState } from "#lib/engine/inference/file-schemas";
import { requiredSchemas } from "#lib/engine/inference/file-schemas";
import { type LoadedModel, loadModel } from "#lib/engine/inference/load-model";
import { localRunner } from "#lib/engine/inference/local-runner";
import { describedLookBack } from "#lib/engine/inference/look-back";
import { readJson } from "#lib/engine/inference/model-files";
import type { PredictResult } from "#lib/engine/inference/predict-table";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { inspectOnnx } from "#lib/engine/onnx/read-model";
import { WRITTEN_OPERATORS } from "#lib/engine/onnx/write-model";
import { indexSeries, rowsOfSeries } from "#lib/engine/panel/series-index";
import { runtimeError } from "#lib/engine/runtime/runtime-reason";
import { tryModel } from "#lib/engine/runtime/try-model";
import { NUMBER_MAX } from "#lib/engine/table/check-table";
import { selectColumns } from "#lib/engine/table/columns";
import { sliceRows, takeRows } from "#lib/engine/table/rows";
import { type CheckpointManifest, MANIFEST_NAME } from "./checkpoint-file.ts";

const ROWS_TRIED = 50;

/**
 * Checks a model's files, opens the model and predicts known and generated rows.
 *
 * @throws {ModelInvalid} with the file and the field
 * @throws {Error} any error of the model's own code
 */
export async function tryFiles(
  { model: metadata }: CheckpointManifest,
  files: Map<string, Uint8Array>,
): Promise<void> {
  checkFiles(files);
  const { imported, version, timestamp, timezone } = readJson<ModelState>(files.get("state.json")!);
  const format = files.has(inputFormatFileName)
    ? checkJson(inputFormatFileName, files, InputFormatSchema)
    : defaultInputFormat(timestamp, timezone);
  const { inputFormat } = metadata.featureEngineering;
  if (inputFormat !== undefined && !isDeepStrictEqual(inputFormat, presentInputFormat(format)))
    throw new ModelInvalid(
      `${MANIFEST_NAME} is wrong at model.featureEngineering.inputFormat: it differs from ${inputFormatFileName}.`,
    );
  const onnx = files.get("model.onnx");
  if (onnx !== undefined)
    await tryOnnx(onnx, imported).catch((cause) => {
      throw runtimeError("in model.onnx cannot be read", cause);
    });
  else if (imported !== null || version === 1) throw new ModelInvalid("The checkpoint lacks model.onnx.");
  const read = async (name: string) => {
    const bytes = files.get(name);
    if (bytes === undefined) throw new ModelInvalid(`The checkpoint lacks ${name}.`);
    return bytes;
  };
  const model = await loadModel(
    read,
    localRunner(() => read("model.onnx")),
  );
  checkMetadata(metadata, model);
  const { featureEngineering } = checkJson("metrics.json", files, requiredSchemas["metrics.json"]);
  checkLookBack("metrics.json", "featureEngineering", featureEngineering, model);
  checkLookBack(MANIFEST_NAME, "model.featureEngineering", metadata.featureEngineering, model);
  // Predictions and scenarios use the same options.
  const include = { intervals: true, contributions: true };
  expectFinite(await model.predict(sampleRows(model), { include }));
  expectFinite(await model.predict(generated(model) ?? sampleRows(model), { include }));
}

function expectFinite({ predictions, intervals }: PredictResult): void {
  const bounds = intervals ? [intervals.lower, intervals.upper] : [];
  const isUsable = (value: number) => Math.abs(value) <= NUMBER_MAX;
  if ([predictions, ...bounds].some((values) => !values.every(isUsable)))
    throw new ModelInvalid(`The model returns no number, or one beyond ±${NUMBER_MAX}, for a known row.`);
}

async function tryOnnx(onnx: Uint8Array, imported: ModelState["imported"]): Promise<void> {
  const { issues, operators } = inspectOnnx(onnx);
  if (issues.length > 0) throw new ModelInvalid(issues.map(({ message }) => message).join("\n"));
  // Rejects such a file at once. Otherwise its trial might take until the time limit.
  const foreign = imported === null ? operators.filter((operator) => !WRITTEN_OPERATORS.has(operator)) : [];
  if (foreign.length > 0) {
    const named = foreign.map((operator) => `"${operator}"`).join(", ");
    throw new ModelInvalid(`Models trained here do not contain the operators ${named}.`);
  }
  await tryModel(onnx, imported?.bindings ?? []);
}

/** Checks that the manifest's model metadata, which the database records copy, matches the files. */
function checkMetadata(metadata: CheckpointManifest["model"], { state, inputFeatures }: LoadedModel): void {
  const names = new Set(metadata.inputFeatures.map(({ name }) => name));
  const unlisted = inputFeatures.find(({ name }) => !names.has(name));
  if (metadata.target !== state.target || metadata.algorithm !== state.algorithm || unlisted)
    throw new ModelInvalid("The checkpoint's manifest describes another model than its files.");
}

/**
 * Checks the stored facts by which scenarios decide whether rows are predicted together and need known rows.
 *
 * @throws {ModelInvalid} with the file, the field and the expected value
 */
function checkLookBack(
  file: string,
  field: string,
  description: FeatureEngineering,
  { lookBack }: LoadedModel,
): void {
  const described = describedLookBack(description);
  for (const fact of ["readsTarget", "rowsBuildOnEachOther"] as const)
    if (described[fact] !== lookBack[fact])
      throw new ModelInvalid(
        `${file} is wrong at ${field}.${fact}: found ${described[fact]}, expected ${lookBack[fact]}, which follows from the other files.`,
      );
}

/** Returns known rows of the model without their target values, or one row of zeros if no rows are known. */
function sampleRows({ history, heldOut, inputFeatures, state }: LoadedModel): Table {
  const known = heldOut ?? history;
  const names = inputFeatures.map(({ name }) => name);
  if (
    known &&
    known.rowCount > 0 &&
    names.every((name) => known.columns.some((column) => column.name === name))
  )
    return selectColumns(
      state.series ? lastRows(known, state.series.columns) : sliceRows(known, known.rowCount - ROWS_TRIED),
      names,
    );
  const columns = inputFeatures.map(({ name, type, categories }): Column => {
    if (type === "category")
      return { name, type, categories: [categories?.[0] ?? ""], codes: Int32Array.of(0) };
    return { name, type, values: Float64Array.of(0) };
  });
  return { rowCount: 1, columns };
}

/** Returns the last row of each series, so that the numbers of each one are tried. */
function lastRows(table: Table, columns: readonly string[]): Table {
  const rows = rowsOfSeries(indexSeries(table, columns));
  return takeRows(
    table,
    Int32Array.from(rows, (own) => own.at(-1)!),
  );
}

function generated(model: LoadedModel): Table | null {
  if (model.upstream.length > 0) return null;
  try {
    const { table } = generateInputs(model);
    return sliceRows(table, 0, ROWS_TRIED);
  } catch (error) {
    if (error instanceof GenerationImpossible) return null;
    throw error;
  }
}
