import type { Table } from "#lib/contract/table";
import { checkPipeline } from "#lib/ml/features/check-pipeline";
import type { Calibration } from "#lib/ml/intervals/conformal";
import { openGuardedSession } from "#lib/ml/runtime/guarded-session";
import { outputChoice } from "#lib/ml/runtime/outputs";
import { openSession } from "#lib/ml/runtime/session";
import { decodeTable } from "#lib/ml/table/codec";
import { takeRows } from "#lib/ml/table/rows";
import { checkInput, type InputCheck } from "./check-input.ts";
import { contributionsByFeature } from "./contributions.ts";
import { readExplain } from "./explain-file.ts";
import { featureSources } from "./feature-sources.ts";
import type { InputFeature } from "./input-features.ts";
import { type ModelSchema, type ModelState, readJson, type UpstreamFile } from "./model-files.ts";
import type { PlainModel } from "./plain-model.ts";
import {
  type PredictOptions,
  type PredictResult,
  predictTable,
  type RunRows,
  runOnFeatures,
} from "./predict-table.ts";
import { sampledContributions } from "./sampled-contributions.ts";

export type LoadedModel = {
  state: ModelState;
  inputFeatures: InputFeature[];
  upstream: UpstreamFile["features"];
  /** Rows kept with the model: the end of its series, or for data without timestamps the held-out rows. */
  history: Table | null;
  heldOut: Table | null;
  /** Names every fault of a table; `predict` must only be given tables that have none. */
  checkInput(table: Table): InputCheck;
  /** @throws InputInvalid where `checkInput` finds faults. */
  predict(table: Table, options?: PredictOptions): Promise<PredictResult>;
  /** What predicts the same in another thread, which needs neither the files nor the runtime; null where it does. */
  plain(): PlainModel | null;
  release(): Promise<void>;
};

/**
 * Opens a model from its files.
 *
 * @param read gives a file's bytes by name and rejects where there is none
 * @param mayGuard false: this process is one of its own already, and models that need that run here
 */
export async function loadModel(
  read: (name: string) => Promise<Uint8Array>,
  { mayGuard = true }: { mayGuard?: boolean } = {},
): Promise<LoadedModel> {
  const [state, schema, pipelineFile, calibration, upstream, onnx] = await Promise.all([
    read("state.json").then((bytes) => readJson<ModelState>(bytes)),
    read("schema.json").then((bytes) => readJson<ModelSchema>(bytes)),
    read("features.json").then((bytes) => readJson<unknown>(bytes)),
    read("calibration.json").then((bytes) => readJson<Calibration | null>(bytes)),
    read("upstream.json").then((bytes) => readJson<UpstreamFile>(bytes)),
    read("model.onnx"),
  ]);
  const optional = async (name: string) =>
    state.files.includes(name) ? decodeTable(await read(name)) : null;
  const [history, heldOut] = await Promise.all([optional("history.bin"), optional("heldout.bin")]);
  const pipeline = checkPipeline(pipelineFile);
  const isGuarded = mayGuard && state.imported !== null && state.imported.isGuarded !== false;
  const own = isGuarded ? null : await openSession(onnx);
  const session = own ?? (await openGuardedSession(onnx));
  const sources = featureSources(pipeline);
  const explainFile = once(() => read("explain.json"));
  const learner = once(async () => readExplain(await explainFile()));
  const features = schema.inputFeatures;

  const runImported = (table: Table) => {
    const { bindings, output, column = null } = state.imported!;
    return session.predictNamed(table, bindings, outputChoice(output, column));
  };
  const run: RunRows = state.imported
    ? async (table) => ({
        predictions: await runImported(table),
        features: null,
        steps: null,
        rowsWithoutHistory: 0,
      })
    : runOnFeatures({ state, pipeline, history }, own!.predict);
  const facts = { state, inputFeatures: features, calibration };

  return {
    state,
    inputFeatures: features,
    upstream: upstream.features,
    history,
    heldOut,
    checkInput: (table) => checkInput(table, features, state.target),
    predict: async (table, options = {}) => {
      const { answer, rows: ran, input: checked } = await predictTable(facts, run, table, options);
      if (options.include?.contributions && state.files.includes("explain.json")) {
        const rows = options.include.contributionRows;
        const input = rows ? takeRows(checked, rows) : checked;
        const { predictions } = answer;
        const asked = rows ? Float64Array.from(rows, (row) => predictions[row]!) : predictions;
        const columns = (ran.features?.columns ?? []).map((column) =>
          rows ? Float32Array.from(rows, (row) => column[row]!) : column,
        );
        answer.contributions = state.imported
          ? await sampledContributions(readJson(await explainFile()), input, asked, runImported)
          : contributionsByFeature(await learner(), sources, columns, asked);
      }
      return answer;
    },
    plain: () => {
      const trees = state.imported ? null : own!.trees();
      // Where there is no grid, nothing is looked up in the history.
      return trees && { ...facts, pipeline, history: state.grid && history, trees };
    },
    release: () => session.release(),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
