import { buffer } from "node:stream/consumers";
import type { Database } from "#db/client";
import type { OutputOption } from "#lib/contract/import-model";
import { plainReading } from "#lib/contract/reading";
import type { Warning } from "#lib/contract/warnings";
import { csvError } from "#lib/domain/datasets/csv-error";
import { runDatasetTask } from "#lib/domain/datasets/dataset-tasks";
import { readUpload } from "#lib/domain/datasets/read-upload";
import type { ExpectedColumn } from "#lib/engine/csv/options";
import { completeBindings } from "#lib/engine/runtime/input-bindings";
import { requireOutput } from "#lib/engine/runtime/output-options";
import { chooseOutput, outputChoice } from "#lib/engine/runtime/outputs";
import { rejected } from "#lib/engine/runtime/runtime-reason";
import { smokeRun } from "#lib/engine/runtime/smoke-run";
import type { TensorInfo } from "#lib/engine/runtime/tensor-info";
import { buildImportedModel } from "#lib/engine/training/build-imported-model";
import type { PayloadOf } from "#lib/platform/jobs/catalogue";
import type { JobRun } from "#lib/platform/jobs/job-run";
import { defaultInputFormat } from "./input-format.ts";
import { saveModel } from "./save-model.ts";
import { importedFileRunner } from "./stored-model-runner.ts";
import { acquireTrialSlot } from "./trial-slot.ts";

/** Classes that a warning names. The job lists more. */
const CLASSES_SHOWN = 10;

/**
 * Checks an imported model's file and behaviour in a separate process, and makes it the project's current model.
 *
 * @throws {ModelInvalid} with every reason found
 * @throws {DomainError} upload_not_found, input_invalid for the labelled rows
 */
export async function importModel(run: JobRun, request: PayloadOf<"ImportModel">): Promise<void> {
  const { db } = run.ctx;
  const { projectId } = run.job;
  const { signal } = run;
  const { uploadId, labelledUploadId, format = "onnx", rounds = "best", ...fields } = request;
  await run.report(5, { stage: "try", message: "Inspecting and running the model in a separate process" });
  const file = await readFile(db, projectId, uploadId);
  const { output = null, outputColumn = null } = fields;
  const tried = await tryFile(file, { format, output, rounds, inputs: fields.inputs ?? [], signal });
  if (!tried.ok) throw rejected(tried);
  const { onnx } = tried;
  const outputOptions = requireOutput(tried, outputChoice(output, outputColumn));
  const inputs = fields.inputs?.length ? fields.inputs : tried.featureNames.map((feature) => ({ feature }));

  await run.report(60, { stage: "measure", message: "Predicting the labelled rows" });
  const labelled =
    labelledUploadId === null ? null : await readUpload(db, { projectId, uploadId: labelledUploadId });
  // Read by the model's input types: "01" is a number for one input and a text for another.
  const features = completeBindings(tried.inputs, inputs);
  const columns: ExpectedColumn[] = [
    ...features.map(({ binding, type }) => ({ name: binding.feature, type })),
    { name: fields.target, type: "number" },
  ];
  const rows = labelled && (await runDatasetTask("read", { columns }, { ...labelled, signal }));
  if (rows !== null && rows.issueCount > 0) throw csvError(rows);
  const bytes = onnx ?? file;
  const fitted = await buildImportedModel({
    ...fields,
    inputs,
    bytes,
    modelInputs: tried.inputs,
    runner: importedFileRunner(projectId, bytes),
    // Each XGBoost split defines the branch of missing values.
    missingAllowed: format === "xgboost-json",
    ...(rows === null ? {} : { labelledRows: rows.table }),
  });
  await run.report(90, { stage: "save", message: "Saving the model" });
  await saveModel(run, {
    ...fitted,
    source: "imported",
    format: { ...defaultInputFormat(null, "UTC"), reading: plainReading },
    upstreamCheckpoints: {},
    warnings: [...hiddenProbabilities(tried.outputs, outputOptions), ...roundsInUse(tried.rounds)],
    outputOptions,
    request: { format, rounds, ...fields },
  });
}

async function tryFile(file: Uint8Array, options: Parameters<typeof smokeRun>[1] & { signal: AbortSignal }) {
  using _slot = await acquireTrialSlot(options.signal);
  return smokeRun(file, options);
}

/** Warns if a classifier's probabilities are in maps. The service then predicts labels, which may be unintended. */
function hiddenProbabilities(outputs: TensorInfo[], options: readonly OutputOption[]): Warning[] {
  const [first] = options;
  if (first === undefined) return [];
  const classes = options.map(
    ({ label, outputColumn }) => `${outputColumn} (class ${JSON.stringify(label)})`,
  );
  const message = `The model predicts the labels of "${chooseOutput(outputs, {}).name}". For a probability, set output to "${first.output}" and outputColumn to its class: ${listed(classes)}.`;
  return [{ code: "labels_predicted", message }];
}

/** States the rounds in use of a model that was trained with early stopping. */
function roundsInUse(rounds: { used: number; total: number } | null): Warning[] {
  if (rounds === null) return [];
  const { used, total } = rounds;
  const other =
    used < total
      ? 'To use all, import the model again with rounds set to "all".'
      : 'To use those up to the best iteration, import the model again with rounds set to "best".';
  const message = `XGBoost stopped early: ${used} of ${total} rounds are used. ${other}`;
  return [{ code: "best_iteration", message }];
}

function listed(classes: readonly string[]): string {
  const shown = classes.slice(0, CLASSES_SHOWN);
  return classes.length > shown.length ? `${shown.join(", ")}, …` : shown.join(", ");
}

async function readFile(db: Database, projectId: string, uploadId: string): Promise<Uint8Array> {
  const upload = await readUpload(db, { projectId, uploadId });
  return buffer(await upload.open());
}
