import type { Table } from "#lib/contract/table";
import { outputChoice } from "#lib/engine/runtime/outputs";
import { takeRows } from "#lib/engine/table/rows";
import { evaluatedPredictor } from "./features-predictor.ts";
import type { ModelState } from "./file-schemas.ts";
import type { FeatureLearner } from "./learner.ts";
import { LEARNER_FILE, readLearner } from "./learner-file.ts";
import { readJson } from "./model-files.ts";
import type { ModelRunner } from "./model-runner.ts";
import { once } from "./once.ts";
import { openOnnxModel } from "./onnx-model.ts";
import { readStoredLearner } from "./panel-file.ts";
import { panelPredictor } from "./panel-predictor.ts";
import { predictorOfLearner } from "./predictor-of-learner.ts";
import type { PredictorSettings, RowPredictor } from "./row-predictor.ts";
import { sampledContributions } from "./sampled-contributions.ts";

type Read = (name: string) => Promise<Uint8Array>;

/**
 * Creates the predictor of a model's files.
 *
 * @param runner runs `model.onnx` of models that this service's own code does not evaluate
 */
export async function openPredictor(
  state: ModelState,
  settings: PredictorSettings,
  read: Read,
  runner: ModelRunner,
): Promise<RowPredictor> {
  if (state.imported) return openImported(state, state.imported, read, runner);
  if (state.version === 1) return openVersion1(settings, read, runner);
  const learner = readStoredLearner(await read(LEARNER_FILE));
  return learner.kind === "panel" ? panelPredictor(settings, learner) : predictorOfLearner(settings, learner);
}

/** Opens a model of version 1, which is stored as ONNX. */
async function openVersion1(
  settings: PredictorSettings,
  read: Read,
  runner: ModelRunner,
): Promise<RowPredictor> {
  const model = openOnnxModel(await read("model.onnx"), { bindings: null, choice: {} }, runner);
  return evaluatedPredictor(settings, {
    evaluate: (columns, rowCount) => model.predict(tableOf(columns, rowCount)),
    // Version 1 has no series methods.
    learner: once(async () => readLearner(await read("explain.json")) as FeatureLearner),
    plain() {
      const program = model.program();
      return program && { kind: "compiled", program };
    },
  });
}

function tableOf(columns: readonly Float32Array[], rowCount: number): Table {
  return {
    rowCount,
    columns: columns.map((values, at) => ({
      name: String(at),
      type: "number",
      values: Float64Array.from(values.subarray(0, rowCount)),
    })),
  };
}

/**
 * Opens an imported model, which reads only its inputs. Contributions of trees are exact. The structure of other models is
 * unknown, so theirs are sampled.
 */
async function openImported(
  { files }: ModelState,
  { bindings, output, column = null }: NonNullable<ModelState["imported"]>,
  read: Read,
  runner: ModelRunner,
): Promise<RowPredictor> {
  const use = { bindings, choice: outputChoice(output, column) };
  const model = openOnnxModel(await read("model.onnx"), use, runner);
  const explainFile = once(() => read("explain.json"));
  return {
    readsTarget: false,
    rowsBuildOnEachOther: false,
    predict: async (table) => ({
      predictions: await model.predict(table),
      features: null,
      steps: null,
      rowsWithoutHistory: 0,
    }),
    async explain(table, { predictions }, places) {
      const [rows, explained] = places
        ? [takeRows(table, places), Float64Array.from(places, (place) => predictions[place]!)]
        : [table, predictions];
      const exact = await model.explain(rows, explained);
      if (exact !== null) return exact;
      if (!files.includes("explain.json")) return null;
      const predict = (mixed: Table) => model.predict(mixed);
      return sampledContributions(readJson(await explainFile()), rows, explained, predict);
    },
    plain: () => null,
  };
}
