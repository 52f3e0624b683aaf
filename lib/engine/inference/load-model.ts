import type { Table } from "#lib/contract/table";
import { checkPipeline } from "#lib/engine/features/check-pipeline";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import type { Calibration } from "#lib/engine/intervals/conformal";
import { openGuardedSession } from "#lib/engine/runtime/guarded-session";
import { outputChoice } from "#lib/engine/runtime/outputs";
import { type ModelSession, openSession } from "#lib/engine/runtime/session";
import { decodeTable } from "#lib/engine/table/codec";
import { takeRows } from "#lib/engine/table/rows";
import { checkInput, type InputCheck } from "./check-input.ts";
import { contributionsByFeature, seriesContributions } from "./contributions.ts";
import { plainLearner } from "./evaluate.ts";
import { featureSources } from "./feature-sources.ts";
import { explainableTrees, treeContributions } from "./imported-contributions.ts";
import type { InputFeature } from "./input-features.ts";
import type { Learner } from "./learner.ts";
import { LEARNER_FILE, readLearner } from "./learner-file.ts";
import { type ModelSchema, type ModelState, readJson, type UpstreamFile } from "./model-files.ts";
import {
  nothingOutOfSample,
  OUT_OF_SAMPLE_FILE,
  type OutOfSampleParts,
  readOutOfSample,
} from "./out-of-sample-file.ts";
import type { PlainModel } from "./plain-model.ts";
import {
  type PredictOptions,
  type PredictResult,
  predictTable,
  type RunRows,
  runOnSeries,
} from "./predict-table.ts";
import { featurePredictor, predictorOfLearner } from "./row-predictor.ts";
import { sampledContributions } from "./sampled-contributions.ts";

export type LoadedModel = {
  state: ModelState;
  inputFeatures: InputFeature[];
  upstream: UpstreamFile["features"];
  /** Rows stored with the model: the end of its series, or the held-out rows for data without timestamps. */
  history: Table | null;
  heldOut: Table | null;
  /** Out-of-sample predictions of known rows; empty if none are stored. */
  outOfSample(): Promise<OutOfSampleParts>;
  /** Lists every issue of a table. `predict` accepts only tables without issues. */
  checkInput(table: Table): InputCheck;
  /** Predicts a table. @throws InputInvalid if `checkInput` finds issues. */
  predict(table: Table, options?: PredictOptions): Promise<PredictResult>;
  /**
   * Returns the model as plain data for another thread, without need of the files or the runtime; null if impossible.
   */
  plain(): PlainModel | null;
  release(): Promise<void>;
};

/**
 * Opens a model from its files.
 *
 * @param read returns a file's bytes by name; rejects if the file does not exist
 * @param mayGuard false if this process is already isolated, so that models that need isolation run in it
 */
export async function loadModel(
  read: (name: string) => Promise<Uint8Array>,
  { mayGuard = true }: { mayGuard?: boolean } = {},
): Promise<LoadedModel> {
  const [state, schema, pipelineFile, calibration, upstream] = await Promise.all([
    read("state.json").then((bytes) => readJson<ModelState>(bytes)),
    read("schema.json").then((bytes) => readJson<ModelSchema>(bytes)),
    read("features.json").then((bytes) => readJson<unknown>(bytes)),
    read("calibration.json").then((bytes) => readJson<Calibration | null>(bytes)),
    read("upstream.json").then((bytes) => readJson<UpstreamFile>(bytes)),
  ]);
  const optional = async (name: string) =>
    state.files.includes(name) ? decodeTable(await read(name)) : null;
  const [history, heldOut] = await Promise.all([optional("history.bin"), optional("heldout.bin")]);
  const parts = {
    state,
    pipeline: checkPipeline(pipelineFile),
    history,
    calibration,
    features: schema.inputFeatures,
  };
  const kind = state.imported
    ? await openImported(parts, read, mayGuard)
    : state.version === 1
      ? await openVersion1(parts, read)
      : openTrained(parts, readLearner(await read(LEARNER_FILE)));
  return {
    state,
    inputFeatures: schema.inputFeatures,
    upstream: upstream.features,
    history,
    heldOut,
    outOfSample: once(async () =>
      state.files.includes(OUT_OF_SAMPLE_FILE)
        ? readOutOfSample(await read(OUT_OF_SAMPLE_FILE))
        : nothingOutOfSample(),
    ),
    checkInput: (table) => checkInput(table, schema.inputFeatures, state.target),
    ...kind,
  };
}

type Read = (name: string) => Promise<Uint8Array>;
type Parts = Pick<LoadedModel, "state" | "history"> & {
  pipeline: FeaturePipeline;
  calibration: Calibration | null;
  features: InputFeature[];
};
type Kind = Pick<LoadedModel, "predict" | "plain" | "release">;

const settingsOf = ({ state: { horizon, floor = null }, pipeline }: Parts) => ({ pipeline, horizon, floor });

/** Opens a model trained by this service: its learner is evaluated in this process. */
function openTrained(parts: Parts, learner: Learner): Kind {
  const { state, pipeline, history, calibration, features } = parts;
  const run = runOnSeries(parts, predictorOfLearner(settingsOf(parts), learner));
  return {
    predict: (table, options) => predictTrained(parts, run, async () => learner, table, options),
    plain: () => ({
      ...{ state, inputFeatures: features, calibration, pipeline },
      // Without a grid the model does not read the history.
      history: state.grid && history,
      learner: learner.kind === "series" ? learner : plainLearner(learner),
    }),
    release: async () => {},
  };
}

/** Opens a model of version 1. The runtime evaluates it; trees are evaluated by bit-identical code. */
async function openVersion1(parts: Parts, read: Read): Promise<Kind> {
  const session = await openSession(await read("model.onnx"));
  const { state, pipeline, history, calibration, features } = parts;
  const run = runOnSeries(parts, featurePredictor(settingsOf(parts), session.predict));
  const learner = once(async () => readLearner(await read("explain.json")));
  return {
    predict: (table, options) => predictTrained(parts, run, learner, table, options),
    plain: () => {
      const program = session.trees();
      return (
        program && {
          ...{ state, inputFeatures: features, calibration, pipeline },
          history: state.grid && history,
          learner: { kind: "compiled", program },
        }
      );
    },
    release: () => session.release(),
  };
}

async function predictTrained(
  { state, pipeline, calibration, features }: Parts,
  run: RunRows,
  learner: () => Promise<Learner>,
  table: Table,
  options: PredictOptions = {},
): Promise<PredictResult> {
  const metadata = { state, inputFeatures: features, calibration };
  const { answer, rows: rowPredictions } = await predictTable(metadata, run, table, options);
  if (options.include?.contributions) {
    const { predictions } = answer;
    const rows = options.include.contributionRows;
    const explained = rows ? Float64Array.from(rows, (row) => predictions[row]!) : predictions;
    const columns = (rowPredictions.features?.columns ?? []).map((column) =>
      rows ? Float32Array.from(rows, (row) => column[row]!) : column,
    );
    const [trained, sources] = [await learner(), featureSources(pipeline)];
    if (trained.kind === "series") {
      const all = rowPredictions.past!;
      const past = rows ? Float64Array.from(rows, (row) => all[row]!) : all;
      answer.contributions = seriesContributions(
        trained,
        { sources, target: state.target },
        { columns, past },
        explained,
      );
    } else answer.contributions = contributionsByFeature(trained, sources, columns, explained);
  }
  return answer;
}

async function openImported(parts: Parts, read: Read, mayGuard: boolean): Promise<Kind> {
  const { state, calibration, features } = parts;
  const { bindings, output, column = null, isGuarded } = state.imported!;
  const bytes = await read("model.onnx");
  const session: Pick<ModelSession, "predictNamed" | "release"> =
    mayGuard && isGuarded !== false ? await openGuardedSession(bytes) : await openSession(bytes);
  const runImported = (table: Table) => session.predictNamed(table, bindings, outputChoice(output, column));
  const run: RunRows = async (table) => ({
    predictions: await runImported(table),
    features: null,
    steps: null,
    rowsWithoutHistory: 0,
  });
  const explainFile = once(() => read("explain.json"));
  // A guarded model has other operators than trees.
  const trees = once(async () => (isGuarded === false ? explainableTrees(await read("model.onnx")) : null));
  const metadata = { state, inputFeatures: features, calibration };
  return {
    predict: async (table, options = {}) => {
      const { answer, input: checked } = await predictTable(metadata, run, table, options);
      if (options.include?.contributions) {
        const { predictions } = answer;
        const rows = options.include.contributionRows;
        const explained = rows ? Float64Array.from(rows, (row) => predictions[row]!) : predictions;
        const input = rows ? takeRows(checked, rows) : checked;
        const exact = await trees();
        if (exact) answer.contributions = await treeContributions(exact, bindings, input, explained);
        else if (state.files.includes("explain.json"))
          answer.contributions = await sampledContributions(
            readJson(await explainFile()),
            input,
            explained,
            runImported,
          );
      }
      return answer;
    },
    plain: () => null,
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
