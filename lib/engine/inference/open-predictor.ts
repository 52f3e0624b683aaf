import type { Table } from "#lib/contract/table";
import { openGuardedSession } from "#lib/engine/runtime/guarded-session";
import { outputChoice } from "#lib/engine/runtime/outputs";
import { type ModelSession, openSession } from "#lib/engine/runtime/session";
import { takeRows } from "#lib/engine/table/rows";
import { evaluatedPredictor } from "./features-predictor.ts";
import type { ModelState } from "./file-schemas.ts";
import { explainableTrees, treeContributions } from "./imported-contributions.ts";
import type { FeatureLearner } from "./learner.ts";
import { LEARNER_FILE, readLearner } from "./learner-file.ts";
import { readJson } from "./model-files.ts";
import { predictorOfLearner } from "./predictor-of-learner.ts";
import type { PredictorSettings, RowPredictor } from "./row-predictor.ts";
import { sampledContributions } from "./sampled-contributions.ts";

type Read = (name: string) => Promise<Uint8Array>;

/**
 * Creates the predictor of a model's files.
 *
 * @param mayGuard false if this process is already isolated
 */
export async function openPredictor(
  state: ModelState,
  settings: PredictorSettings,
  read: Read,
  { mayGuard }: { mayGuard: boolean },
): Promise<RowPredictor> {
  if (state.imported) return openImported(state, state.imported, read, mayGuard);
  if (state.version === 1) return openVersion1(settings, read);
  return predictorOfLearner(settings, readLearner(await read(LEARNER_FILE)));
}

/** Opens a model of version 1. The runtime evaluates it; trees are evaluated by bit-identical code. */
async function openVersion1(settings: PredictorSettings, read: Read): Promise<RowPredictor> {
  const session = await openSession(await read("model.onnx"));
  return evaluatedPredictor(settings, {
    evaluate: session.predict,
    // Version 1 has no series methods.
    learner: once(async () => readLearner(await read("explain.json")) as FeatureLearner),
    plain() {
      const program = session.trees();
      return program && { kind: "compiled", program };
    },
    release: () => session.release(),
  });
}

/**
 * Opens an imported model, which reads only its inputs. Contributions of trees are exact. The structure of other models is
 * unknown, so theirs are sampled.
 */
async function openImported(
  { files }: ModelState,
  { bindings, output, column = null, isGuarded }: NonNullable<ModelState["imported"]>,
  read: Read,
  mayGuard: boolean,
): Promise<RowPredictor> {
  const bytes = await read("model.onnx");
  const session: Pick<ModelSession, "predictNamed" | "release"> =
    mayGuard && isGuarded !== false ? await openGuardedSession(bytes) : await openSession(bytes);
  const run = (table: Table) => session.predictNamed(table, bindings, outputChoice(output, column));
  const explainFile = once(() => read("explain.json"));
  // A guarded model has other operators than trees.
  const trees = once(async () => (isGuarded === false ? explainableTrees(bytes) : null));
  return {
    readsTarget: false,
    rowsBuildOnEachOther: false,
    predict: async (table) => ({
      predictions: await run(table),
      features: null,
      steps: null,
      rowsWithoutHistory: 0,
    }),
    async explain(table, { predictions }, places) {
      const exact = await trees();
      if (!exact && !files.includes("explain.json")) return null;
      const [rows, explained] = places
        ? [takeRows(table, places), Float64Array.from(places, (place) => predictions[place]!)]
        : [table, predictions];
      if (exact) return treeContributions(exact, bindings, rows, explained);
      return sampledContributions(readJson(await explainFile()), rows, explained, run);
    },
    plain: () => null,
    release: () => session.release(),
  };
}

/** Returns a function that makes the value at the first call. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
