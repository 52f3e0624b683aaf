import type { Table } from "#lib/contract/table";
import { checkPipeline } from "#lib/engine/features/check-pipeline";
import { calibrationOf, type StoredCalibration } from "#lib/engine/intervals/calibration-file";
import { decodeTable } from "#lib/engine/table/codec";
import type { InputCheck } from "./check-input.ts";
import { checkModelInput } from "./check-panel-input.ts";
import type { FeatureContributions } from "./contributions.ts";
import type { ModelState, UpstreamFile } from "./file-schemas.ts";
import type { InputFeature } from "./input-features.ts";
import type { LookBack } from "./look-back.ts";
import { MEMBERS_FILE, type Members, openMembers } from "./members.ts";
import { type ModelSchema, readJson } from "./model-files.ts";
import type { ModelRunner } from "./model-runner.ts";
import { once } from "./once.ts";
import { openPredictor } from "./open-predictor.ts";
import {
  nothingOutOfSample,
  OUT_OF_SAMPLE_FILE,
  type OutOfSampleParts,
  readOutOfSample,
} from "./out-of-sample-file.ts";
import type { PlainModel } from "./plain-model.ts";
import { type PredictOptions, type PredictResult, predictTable, runOnSeries } from "./predict-table.ts";
import { predictorSettings } from "./predictor-of-learner.ts";

export type LoadedModel = {
  state: ModelState;
  inputFeatures: InputFeature[];
  upstream: UpstreamFile["features"];
  lookBack: LookBack;
  /** Rows stored with the model: the end of its series, or the held-out rows for data without timestamps. */
  history: Table | null;
  heldOut: Table | null;
  /** Out-of-sample predictions of known rows; empty if none are stored. */
  outOfSample(): Promise<OutOfSampleParts>;
  /** Refits of the model on samples of its rows; null for a model without them. */
  members(): Promise<Members | null>;
  /** Lists every issue of a table. `predict` accepts only tables without issues. */
  checkInput(table: Table): InputCheck;
  /** Predicts a table. @throws InputInvalid if `checkInput` finds issues. */
  predict(table: Table, options?: PredictOptions): Promise<PredictResult>;
  /**
   * Returns the model as plain data for another thread, without need of the files or the runtime; null if impossible.
   */
  plain(): PlainModel | null;
};

/**
 * Opens a model from its files.
 *
 * @param read returns a file's bytes by name; rejects if the file does not exist
 * @param runner runs models that this service's own code does not evaluate. By default there are none
 */
export async function loadModel(
  read: (name: string) => Promise<Uint8Array>,
  runner: ModelRunner = noRunner,
): Promise<LoadedModel> {
  const [state, schema, pipelineFile, calibration, upstream] = await Promise.all([
    read("state.json").then((bytes) => readJson<ModelState>(bytes)),
    read("schema.json").then((bytes) => readJson<ModelSchema>(bytes)),
    read("features.json").then((bytes) => readJson<unknown>(bytes)),
    read("calibration.json").then((bytes) => calibrationOf(readJson<StoredCalibration | null>(bytes))),
    read("upstream.json").then((bytes) => readJson<UpstreamFile>(bytes)),
  ]);
  const optional = async (name: string) =>
    state.files.includes(name) ? decodeTable(await read(name)) : null;
  const [history, heldOut] = await Promise.all([optional("history.bin"), optional("heldout.bin")]);
  const pipeline = checkPipeline(pipelineFile);
  const settings = predictorSettings(pipeline, state);
  const predictor = await openPredictor(state, settings, read, runner);
  const metadata = { state, inputFeatures: schema.inputFeatures, calibration };
  const run = runOnSeries({ state, history }, predictor);
  const { readsTarget, rowsBuildOnEachOther } = predictor;
  return {
    state,
    inputFeatures: schema.inputFeatures,
    upstream: upstream.features,
    lookBack: { readsTarget, rowsBuildOnEachOther },
    history,
    heldOut,
    outOfSample: once(async () =>
      state.files.includes(OUT_OF_SAMPLE_FILE)
        ? readOutOfSample(await read(OUT_OF_SAMPLE_FILE))
        : nothingOutOfSample(),
    ),
    members: once(async () =>
      state.files.includes(MEMBERS_FILE)
        ? openMembers({ state, history, features: schema.inputFeatures, settings }, await read(MEMBERS_FILE))
        : null,
    ),
    checkInput: (table) => checkModelInput(state, schema.inputFeatures, table),
    async predict(table, options = {}) {
      const { answer, rows, input } = await predictTable(metadata, run, table, options);
      if (!options.include?.contributions) return answer;
      const { contributionRows } = options.include;
      const contributions = await predictor.explain(input, rows, contributionRows);
      return contributions && areFinite(contributions) ? { ...answer, contributions } : answer;
    },
    plain() {
      const learner = predictor.plain();
      // Without a grid the model does not read the history.
      return learner && { ...metadata, pipeline, history: state.grid && history, learner };
    },
  };
}

const noRunner: ModelRunner = async () => {
  throw new Error("The model was opened without a runner for models that need a process.");
};

/** Returns whether contributions are numbers. An imported model may return none for a mix of typical and actual values. */
function areFinite({ baseValue, values }: FeatureContributions): boolean {
  return Number.isFinite(baseValue) && values.every((row) => row.every(Number.isFinite));
}
