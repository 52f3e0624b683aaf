import type { Column, Table } from "#lib/contract/table";
import type { CheckpointManifest } from "#lib/domain/checkpoints/checkpoint-file";
import { readCheckpointFile } from "#lib/domain/checkpoints/read-checkpoint-file";
import type { TryResult } from "#lib/domain/checkpoints/try-checkpoint";
import { GenerationImpossible, generateInputs } from "#lib/engine/forecasting/generate-inputs";
import { type LoadedModel, loadModel } from "#lib/engine/inference/load-model";
import { type ModelState, readJson } from "#lib/engine/inference/model-files";
import { unboundedOperators } from "#lib/engine/onnx/bounded-operators";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { inspectOnnx } from "#lib/engine/onnx/read-model";
import { answerParent } from "#lib/engine/runtime/child-run";
import { tryModel } from "#lib/engine/runtime/try-model";
import { selectColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";

const ROWS_TRIED = 50;

/** The child process of `tryCheckpoint`: the file comes on standard input. */
async function main(): Promise<void> {
  let result: TryResult;
  try {
    const { manifest, files } = await readCheckpointFile(process.stdin, { keep: true });
    await tryFiles(manifest, files);
    result = { ok: true };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "it is damaged";
    const reason = cause instanceof ModelInvalid ? message : `The checkpoint cannot be used: ${message}`;
    result = { ok: false, reason: reason.slice(0, 1_000) };
  }
  answerParent(result);
}

async function tryFiles({ model: told }: CheckpointManifest, files: Map<string, Uint8Array>): Promise<void> {
  const onnx = files.get("model.onnx")!;
  const { faults, operators } = inspectOnnx(onnx);
  if (faults.length > 0) throw new ModelInvalid(faults.map(({ message }) => message).join("\n"));
  const [strange] = unboundedOperators(operators);
  const { imported } = readJson<ModelState>(files.get("state.json")!);
  if (strange !== undefined && (imported === null || imported.isGuarded === false))
    throw new ModelInvalid(`The operator "${strange}" is in no model that may run without a guard.`);
  await tryModel(onnx);
  const read = async (name: string) => {
    const bytes = files.get(name);
    if (bytes === undefined) throw new ModelInvalid(`The checkpoint lacks ${name}.`);
    return bytes;
  };
  const model = await loadModel(read, { mayGuard: false });
  checkTold(told, model);
  // As predictions, scenarios and generated scenarios will do it.
  const include = { intervals: true, contributions: true };
  await model.predict(sampleRows(model), { include });
  await model.predict(generated(model) ?? sampleRows(model));
}

/** The records are made of what the manifest tells: it must be what the model is. */
function checkTold(told: CheckpointManifest["model"], { state, inputFeatures }: LoadedModel): void {
  const names = new Set(told.inputFeatures.map(({ name }) => name));
  const untold = inputFeatures.find(({ name }) => !names.has(name));
  if (told.target !== state.target || told.algorithm !== state.algorithm || untold)
    throw new ModelInvalid("The checkpoint's manifest tells of another model than its files are.");
}

/** Rows that the model knows, without those values that it predicts; nothing known: one row of zeros. */
function sampleRows({ history, heldOut, inputFeatures }: LoadedModel): Table {
  const known = heldOut ?? history;
  const names = inputFeatures.map(({ name }) => name);
  if (
    known &&
    known.rowCount > 0 &&
    names.every((name) => known.columns.some((column) => column.name === name))
  )
    return selectColumns(sliceRows(known, known.rowCount - ROWS_TRIED), names);
  const columns = inputFeatures.map(({ name, type, categories }): Column => {
    if (type === "category")
      return { name, type, categories: [categories?.[0] ?? ""], codes: Int32Array.of(0) };
    return { name, type, values: Float64Array.of(0) };
  });
  return { rowCount: 1, columns };
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

await main();
