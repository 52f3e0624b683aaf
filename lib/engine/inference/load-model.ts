import type { Table } from "#lib/contract/table";
import { checkPipeline } from "#lib/engine/features/check-pipeline";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import type { Calibration } from "#lib/engine/intervals/conformal";
import { openGuardedSession } from "#lib/engine/runtime/guarded-session";
import { outputChoice } from "#lib/engine/runtime/outputs";
import { type ModelSession, openSession } from "#lib/engine/runtime/session";
import { decodeTable } from "#lib/engine/table/codec";
import { takeRows } from "#lib/engine/table/rows";
import type { Learner } from "#lib/ml/model/learner";
import type { PlainModel } from "#lib/ml/model/plain-model";
import { checkInput, type InputCheck } from "./check-input.ts";
import { contributionsByFeature } from "./contributions.ts";
import { evaluatorOfLearner, plainLearner } from "./evaluate.ts";
import { featureSources } from "./feature-sources.ts";
import type { InputFeature } from "./input-features.ts";
import { LEARNER_FILE, readLearner } from "./learner-file.ts";
import { type ModelSchema, type ModelState, readJson, type UpstreamFile } from "./model-files.ts";
import {
  nothingOutOfSample,
  OUT_OF_SAMPLE_FILE,
  type OutOfSampleParts,
  readOutOfSample,
} from "./out-of-sample-file.ts";
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
  /** Predictions of known rows by models that had not learned from them; empty where none were kept. */
  outOfSample(): Promise<OutOfSampleParts>;
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
      : openOwn(parts, readLearner(await read(LEARNER_FILE)));
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

/** A model of ours: its learner is evaluated here. */
function openOwn(parts: Parts, learner: Learner): Kind {
  const evaluate = evaluatorOfLearner(learner);
  const { state, pipeline, history, calibration, features } = parts;
  const run = runOnFeatures(parts, async (columns, rowCount) => evaluate(columns, rowCount));
  return {
    predict: (table, options) => predictOwn(parts, run, async () => learner, table, options),
    plain: () => ({
      ...{ state, inputFeatures: features, calibration, pipeline },
      // Where there is no grid, nothing is looked up in the history.
      history: state.grid && history,
      learner: plainLearner(learner),
    }),
    release: async () => {},
  };
}

/** A model from before version 2: the runtime evaluates it, or for trees what does the same to the bit. */
async function openVersion1(parts: Parts, read: Read): Promise<Kind> {
  const session = await openSession(await read("model.onnx"));
  const { state, pipeline, history, calibration, features } = parts;
  const run = runOnFeatures(parts, session.predict);
  const learner = once(async () => readLearner(await read("explain.json")));
  return {
    predict: (table, options) => predictOwn(parts, run, learner, table, options),
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

async function predictOwn(
  { state, pipeline, calibration, features }: Parts,
  run: RunRows,
  learner: () => Promise<Learner>,
  table: Table,
  options: PredictOptions = {},
): Promise<PredictResult> {
  const facts = { state, inputFeatures: features, calibration };
  const { answer, rows: ran } = await predictTable(facts, run, table, options);
  if (options.include?.contributions) {
    const { predictions } = answer;
    const rows = options.include.contributionRows;
    const asked = rows ? Float64Array.from(rows, (row) => predictions[row]!) : predictions;
    const columns = (ran.features?.columns ?? []).map((column) =>
      rows ? Float32Array.from(rows, (row) => column[row]!) : column,
    );
    answer.contributions = contributionsByFeature(await learner(), featureSources(pipeline), columns, asked);
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
  const facts = { state, inputFeatures: features, calibration };
  return {
    predict: async (table, options = {}) => {
      const { answer, input: checked } = await predictTable(facts, run, table, options);
      if (options.include?.contributions && state.files.includes("explain.json")) {
        const { predictions } = answer;
        const rows = options.include.contributionRows;
        const asked = rows ? Float64Array.from(rows, (row) => predictions[row]!) : predictions;
        const input = rows ? takeRows(checked, rows) : checked;
        answer.contributions = await sampledContributions(
          readJson(await explainFile()),
          input,
          asked,
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
