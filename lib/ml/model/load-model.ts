import type { Table } from "#lib/contract/table";
import { checkPipeline } from "#lib/ml/features/pipeline";
import { type KnownSeries, knownSeries } from "#lib/ml/forecast/known-series";
import { predictRows, type RowPredictions } from "#lib/ml/forecast/predict-rows";
import { type Calibration, intervals } from "#lib/ml/intervals/conformal";
import { openGuardedSession } from "#lib/ml/runtime/guarded-session";
import { outputChoice } from "#lib/ml/runtime/outputs";
import { openSession } from "#lib/ml/runtime/session";
import { decodeTable } from "#lib/ml/table/codec";
import { takeRows } from "#lib/ml/table/rows";
import { checkInput, type InputCheck, type InputWarning } from "./check-input.ts";
import { contributionsByFeature, type FeatureContributions } from "./contributions.ts";
import { readExplain } from "./explain-file.ts";
import { featureSources } from "./feature-sources.ts";
import type { InputFeature } from "./input-features.ts";
import { type ModelSchema, type ModelState, readJson, type UpstreamFile } from "./model-files.ts";
import { sampledContributions } from "./sampled-contributions.ts";

export type PredictOptions = {
  /** Newer rows of the series than those kept with the model: its timestamp, target and inputs. */
  history?: Table | undefined;
  /** What `checkInput` has said of the table, where it was asked before. */
  checked?: InputCheck;
  include?:
    | {
        intervals?: boolean | undefined;
        contributions?: boolean | undefined;
        /** The rows to tell contributions of, from 0; all unless told otherwise. */
        contributionRows?: readonly number[] | undefined;
      }
    | undefined;
};

export type PredictResult = {
  /** In the order of the input's rows. */
  predictions: Float64Array;
  /** Bounds of the interval at `level`; absent if not asked for, or if the model was never calibrated. */
  intervals?: { level: number; lower: Float64Array; upper: Float64Array };
  contributions?: FeatureContributions;
  warnings: InputWarning[];
};

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
  release(): Promise<void>;
};

/** A table that `checkInput` finds faults in was to be predicted. */
export class InputInvalid extends Error {
  override name = "InputInvalid";
  readonly check: InputCheck;
  constructor(check: InputCheck) {
    super(check.faults[0]?.message ?? "The input is invalid.");
    this.check = check;
  }
}

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
  const known = history ? seriesOf(state, history) : null;
  // The same newer rows come with each prediction until yet newer ones arrive.
  const newer = new WeakMap<Table, KnownSeries | null>();
  const seriesFrom = (rows: Table) => {
    const series = newer.has(rows) ? newer.get(rows)! : seriesOf(state, rows);
    newer.set(rows, series);
    return series;
  };
  const sources = featureSources(pipeline);
  const explainFile = once(() => read("explain.json"));
  const learner = once(async () => readExplain(await explainFile()));
  const features = schema.inputFeatures;

  const runImported = (table: Table) => {
    const { bindings, output, column = null } = state.imported!;
    return session.predictNamed(table, bindings, outputChoice(output, column));
  };
  const run = async (table: Table, options: PredictOptions): Promise<RowPredictions> => {
    if (state.imported) {
      const predictions = await runImported(table);
      return {
        predictions,
        features: null,
        steps: null,
        rowsWithoutHistory: 0,
      };
    }
    const series = options.history ? seriesFrom(options.history) : known;
    const model = { pipeline, horizon: state.horizon ?? 1, run: own!.predict };
    return predictRows(model, table, series, options.include?.contributions);
  };

  return {
    state,
    inputFeatures: features,
    upstream: upstream.features,
    history,
    heldOut,
    checkInput: (table) => checkInput(table, features, state.target),
    predict: async (table, options = {}) => {
      const check = options.checked ?? checkInput(table, features, state.target);
      if (check.faultCount > 0) throw new InputInvalid(check);
      const result = await run(check.table, options);
      const { predictions, steps } = result;
      const answer: PredictResult = {
        predictions,
        warnings: [...check.warnings, ...seriesWarnings(state, result)],
      };
      if (options.include?.intervals && calibration) {
        answer.intervals = { level: calibration.level, ...intervals(calibration, predictions, steps) };
      }
      if (options.include?.contributions && state.files.includes("explain.json")) {
        const rows = options.include.contributionRows;
        const input = rows ? takeRows(check.table, rows) : check.table;
        const asked = rows ? Float64Array.from(rows, (row) => predictions[row]!) : predictions;
        const columns = (result.features?.columns ?? []).map((column) =>
          rows ? Float32Array.from(rows, (row) => column[row]!) : column,
        );
        answer.contributions = state.imported
          ? await sampledContributions(readJson(await explainFile()), input, asked, runImported)
          : contributionsByFeature(await learner(), sources, columns, asked);
      }
      return answer;
    },
    release: () => session.release(),
  };
}

function seriesOf(state: ModelState, rows: Table): KnownSeries | null {
  const { grid, timestamp, target } = state;
  return grid && timestamp !== null ? knownSeries(rows, { timestamp, target, grid }) : null;
}

function seriesWarnings(state: ModelState, { steps, rowsWithoutHistory }: RowPredictions): InputWarning[] {
  const warnings: InputWarning[] = [];
  if (rowsWithoutHistory > 0) {
    warnings.push({
      code: "incomplete_history",
      message: `${rowsWithoutHistory} rows: earlier values of "${state.target}" that the model looks back at are not known.`,
      column: state.target,
      rows: rowsWithoutHistory,
    });
  }
  const { horizon } = state;
  const beyond = horizon === null || !steps ? 0 : steps.reduce((n, step) => n + (step > horizon ? 1 : 0), 0);
  if (beyond > 0) {
    warnings.push({
      code: "beyond_horizon",
      message: `${beyond} rows lie more than ${horizon} steps after the last known one, which is as far as the model was validated.`,
      column: state.timestamp,
      rows: beyond,
    });
  }
  return warnings;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
