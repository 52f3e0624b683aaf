import type { TargetMetric } from "#lib/contract/models";
import type { Column, Table } from "#lib/contract/table";
import { LISTED_CATEGORIES_MAX } from "#lib/engine/csv/profile";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { coerceColumn } from "#lib/engine/inference/coerce-input";
import type { ModelState, UpstreamFile } from "#lib/engine/inference/file-schemas";
import { describeInput, type InputFeature } from "#lib/engine/inference/input-features";
import { jsonFile, type Metrics, type ModelFiles, type ModelSchema } from "#lib/engine/inference/model-files";
import type { ModelRunner } from "#lib/engine/inference/model-runner";
import { openOnnxModel } from "#lib/engine/inference/onnx-model";
import { referenceValues } from "#lib/engine/inference/sampled-contributions";
import { storedCalibration } from "#lib/engine/intervals/calibration-file";
import { type Calibration, calibrate } from "#lib/engine/intervals/conformal";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import { meanBaseline } from "#lib/engine/learners/seasonal-naive";
import { knownTexts } from "#lib/engine/onnx/known-texts";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { batchRows } from "#lib/engine/runtime/batch-rows";
import { type BoundFeature, completeBindings, type InputMapping } from "#lib/engine/runtime/input-bindings";
import { outputChoice } from "#lib/engine/runtime/outputs";
import { rowWidth, type TensorInfo } from "#lib/engine/runtime/tensor-info";
import { encodeTable } from "#lib/engine/table/codec";
import { findColumn } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import type { FittedModel, ModelSummary } from "./model-summary.ts";
import { validationPreview } from "./validation-preview.ts";

export type ImportInput = {
  /** An ONNX file that was inspected and passed a smoke run. */
  bytes: Uint8Array;
  /** Inputs that the smoke run found. */
  modelInputs: TensorInfo[];
  /** Runs the file if this service's own code does not evaluate it. */
  runner: ModelRunner;
  modelName: string;
  target: string;
  targetMetric: TargetMetric;
  inputs?: readonly InputMapping[] | undefined;
  /** Name of the output that holds the prediction. */
  output?: string | undefined;
  /** Column of the output, from 0. For a classifier: the class whose probability is predicted. */
  outputColumn?: number | undefined;
  /**
   * Whether the model is known to accept missing values. By default, features with missing values in the labelled
   * rows accept them.
   */
  missingAllowed?: boolean | undefined;
  /** Rows with the features and the target, for metrics, ranges and prediction intervals. */
  labelledRows?: Table | undefined;
};

/** Maximum number of rows kept for generated scenarios. */
const HELD_OUT_ROWS_MAX = 10_000;

/**
 * Converts an imported model into the same artifact as a trained model. Its metrics are computed on the labelled
 * rows, which are assumed to be unseen by the model. Without labelled rows there are no metrics, ranges and
 * intervals.
 *
 * @throws ModelInvalid if the mapping does not fit the model, the labelled rows do not fit the mapping, or the model
 * does not return one number per row
 */
export async function buildImportedModel(input: ImportInput): Promise<FittedModel> {
  const { bytes, runner } = input;
  const features = completeBindings(input.modelInputs, input.inputs);
  const bindings = features.map(({ binding }) => binding);
  const choice = outputChoice(input.output ?? null, input.outputColumn ?? null);
  const model = openOnnxModel(bytes, { bindings, choice }, runner);
  const rows = input.labelledRows ? labelledTable(input.labelledRows, features, input.target) : null;
  // Verifies the mapping, and that a full batch fits into a model process.
  await model.predict(zeroRows(features));
  const predictions = rows && (await model.predict(rows.inputs));
  const bad = predictions?.findIndex((value) => !Number.isFinite(value)) ?? -1;
  if (bad !== -1)
    throw new ModelInvalid(`Labelled rows: the model returns no finite number for row ${bad + 1}.`);
  return packImport(input, features, rows && predictions && { ...rows, predictions });
}

type LabelledRows = { inputs: Table; actual: Float64Array; predictions: Float64Array };

function packImport(input: ImportInput, features: BoundFeature[], rows: LabelledRows | null): FittedModel {
  const { target, targetMetric, modelName, missingAllowed = false } = input;
  const texts = knownTexts(
    input.bytes,
    new Map(input.modelInputs.map((info) => [info.name, rowWidth(info) ?? 0])),
  );
  const inputFeatures = features.map(({ binding, type }) => {
    const described = rows
      ? knownInput(rows.inputs, binding.feature, missingAllowed)
      : unknownInput(binding.feature, type, missingAllowed);
    const known = type === "category" ? texts.get(`${binding.input} ${binding.index ?? 0}`) : undefined;
    // Of more texts, the list would be incomplete, so that unseen ones would not be known.
    return known === undefined || known.length >= LISTED_CATEGORIES_MAX
      ? described
      : { ...described, categories: known.filter((text) => text !== "") };
  });
  const validation: Metrics | null = rows && regressionMetrics(rows.actual, rows.predictions);
  const baseline = rows && regressionMetrics(rows.actual, meanBaseline(rows.actual, rows.actual.length));
  const calibration: Calibration | null =
    rows &&
    calibrate([{ actual: rows.actual, predicted: rows.predictions, steps: null }], {
      order: "random",
    });
  const count = rows?.actual.length ?? 0;
  const summary: ModelSummary = {
    modelName,
    algorithm: "imported",
    target,
    targetMetric,
    primaryMetricValue: validation?.[targetMetric] ?? null,
    trainingMetrics: { train: null, validation, baseline },
    inputFeatures,
    featureEngineering: { version: 1, steps: [] },
    importance: [],
    validation:
      rows &&
      validationPreview(
        Int32Array.from({ length: count }, (_, i) => i + 1),
        rows.actual,
        rows.predictions,
        null,
      ),
    leaderboard: validation
      ? [{ name: modelName, algorithm: "imported", features: "model inputs", chosen: true, validation }]
      : [],
    coverage: calibration?.coverage ?? null,
    coverageBySteps: calibration?.coverageBySteps ?? [],
    trainingRows: 0,
    validationRows: count,
    horizon: null,
    frequency: null,
  };
  const pipeline: FeaturePipeline = {
    version: 1,
    target,
    timestamp: null,
    timezone: "UTC",
    grid: null,
    steps: [],
  };
  const state: ModelState = {
    version: 1,
    modelName,
    algorithm: "imported",
    target,
    targetMetric,
    timestamp: null,
    timezone: "UTC",
    frequency: null,
    grid: null,
    horizon: null,
    lastTimestamp: null,
    trainingRows: 0,
    validationRows: count,
    files: rows ? ["explain.json", "heldout.bin"] : [],
    imported: {
      bindings: features.map(({ binding }) => binding),
      output: input.output ?? null,
      column: input.outputColumn ?? null,
    },
  };
  const files: ModelFiles = new Map([
    ["model.onnx", input.bytes],
    ["features.json", jsonFile(pipeline)],
    ["state.json", jsonFile(state)],
    ["schema.json", jsonFile({ version: 1, inputFeatures } satisfies ModelSchema)],
    ["metrics.json", jsonFile({ version: 1, ...summary })],
    ["calibration.json", jsonFile(storedCalibration(calibration))],
    ["upstream.json", jsonFile({ version: 1, features: [] } satisfies UpstreamFile)],
  ]);
  if (rows) {
    files.set("explain.json", jsonFile(referenceValues(rows.inputs)));
    files.set("heldout.bin", encodeTable(sliceRows(rows.inputs, 0, HELD_OUT_ROWS_MAX)));
  }
  return { files, summary };
}

/** Returns the features, converted to the model's types, and the target. */
function labelledTable(
  table: Table,
  features: BoundFeature[],
  target: string,
): { inputs: Table; actual: Float64Array } {
  const actual = findColumn(table, target);
  if (!actual || actual.type === "category" || actual.type === "timestamp") {
    throw new ModelInvalid(`The labelled rows have no numeric column "${target}".`);
  }
  if (table.rowCount === 0) throw new ModelInvalid("There are no labelled rows.");
  const columns = features.map(({ binding: { feature }, type }): Column => {
    const tableColumn = findColumn(table, feature);
    if (!tableColumn) throw new ModelInvalid(`The labelled rows have no column "${feature}".`);
    const { column, misfits } = coerceColumn(tableColumn, type);
    if (misfits.length > 0) {
      throw new ModelInvalid(
        `Labelled rows: row ${misfits[0]! + 1}, column "${feature}" is not a valid ${type}.`,
      );
    }
    return column;
  });
  return { inputs: { rowCount: table.rowCount, columns }, actual: actual.values };
}

/** Returns a full batch of zeros, or of empty texts. */
function zeroRows(features: BoundFeature[]): Table {
  const rowCount = batchRows(features.length);
  const columns = features.map(
    ({ binding: { feature: name }, type }): Column =>
      type === "category"
        ? { name, type, categories: [""], codes: new Int32Array(rowCount) }
        : { name, type, values: new Float64Array(rowCount) },
  );
  return { rowCount, columns };
}

/**
 * Describes an input from labelled rows. Values can be missing if the labelled rows have missing values, because the
 * model predicted those rows too.
 */
function knownInput(rows: Table, name: string, missingAllowed: boolean): InputFeature {
  const known = describeInput(rows, name, "input", { missingAllowed });
  return { ...known, missingAllowed: missingAllowed || known.missing > 0 };
}

function unknownInput(name: string, type: InputFeature["type"], missingAllowed: boolean): InputFeature {
  const unknown = { min: null, max: null, mean: null, median: null, missing: 0, categories: null };
  return {
    name,
    type,
    role: "input",
    required: true,
    missingAllowed,
    ...unknown,
    sourceProjectId: null,
  };
}
