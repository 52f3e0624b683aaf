import type { Table } from "#lib/contract/table";
import { checkInput } from "./check-input.ts";
import { type Evaluate, evaluatorOfLearner, toPredictions } from "./evaluate.ts";
import type { ModelState } from "./file-schemas.ts";
import type { InputFeature } from "./input-features.ts";
import type { BlendLearner, FeatureLearner, Learner } from "./learner.ts";
import { readLearner, writeLearner } from "./learner-file.ts";
import { fromLogs } from "./log-series.ts";
import { jsonFile, readJson } from "./model-files.ts";
import { runOnSeries } from "./predict-table.ts";
import { partSettings, predictorOfLearner } from "./predictor-of-learner.ts";
import type { PredictorSettings } from "./row-predictor.ts";

/** Name of the file with the members: refits of the learner on samples of its rows. */
export const MEMBERS_FILE = "members.json";

/** The members of a model. The spread of their predictions is the uncertainty of the model's effects. */
export type Members = {
  /** Returns each member's predictions of the table. @param history as for the model's predictions */
  predict(table: Table, history: Table | undefined): Promise<Float64Array[]>;
};

export function writeMembers(members: readonly Learner[]): Uint8Array {
  return jsonFile(members.map((learner) => readJson<unknown>(writeLearner(learner))));
}

type Parts = {
  state: ModelState;
  history: Table | null;
  features: InputFeature[];
  settings: PredictorSettings;
  /** Whether the learners predict logarithms. */
  isOfLogs?: boolean;
};

export function openMembers({ state, history, features, settings }: Parts, file: Uint8Array): Members {
  const learners = readJson<unknown[]>(file).map((one) => readLearner(jsonFile(one)));
  return membersOf(learners, { state, history, features, settings });
}

function membersOf(learners: readonly Learner[], parts: Parts): Members {
  return isBlends(learners) ? membersOfBlends(learners, parts) : membersOfOneKind(learners, parts);
}

const isBlends = (learners: readonly Learner[]): learners is BlendLearner[] => learners[0]?.kind === "blend";

/** Predicts part by part, because the same part of all members reads the same features. */
function membersOfBlends(learners: readonly BlendLearner[], { history, ...rest }: Parts): Members {
  const parts = learners[0]!.parts.map((part, at) => {
    const { weight, factor } = part;
    const settings = partSettings(rest.settings, part);
    const own = learners.map((learner) => learner.parts[at]!.learner);
    return {
      weight,
      factor,
      members: membersOf(own, { ...rest, history, settings, isOfLogs: factor !== undefined }),
    };
  });
  return {
    async predict(table, newer) {
      const sums = learners.map(() => new Float64Array(table.rowCount));
      for (const { weight, factor, members } of parts) {
        const predicted = await members.predict(table, newer);
        predicted.forEach((values, member) => {
          const own = factor === undefined ? values : fromLogs(values, factor);
          const sum = sums[member]!;
          for (let row = 0; row < sum.length; row++) sum[row]! += weight * own[row]!;
        });
      }
      return sums;
    },
  };
}

function membersOfOneKind(
  learners: readonly Learner[],
  { state, history, features, settings, isOfLogs = false }: Parts,
): Members {
  const rowPredictors = learners.map((learner) => predictorOfLearner(settings, learner));
  const predictors = rowPredictors.map((predictor) => runOnSeries({ state, history, isOfLogs }, predictor));
  const isIndependent = rowPredictors[0]?.readsTarget === false;
  // Compiled once, because compiling trees takes longer than evaluating one part of a long scenario.
  let evaluators: Evaluate[] | null = null;
  return {
    async predict(input, newer) {
      const { table } = checkInput(input, features, state.target);
      const options = { history: newer };
      if (isIndependent) {
        // All members read the same features.
        const { features: built } = await predictors[0]!(table, {
          ...options,
          include: { contributions: true },
        });
        evaluators ??= learners.map((learner) => evaluatorOfLearner(learner as FeatureLearner));
        return evaluators.map((evaluate) =>
          toPredictions(settings, evaluate(built!.columns, table.rowCount)),
        );
      }
      const predicted: Float64Array[] = [];
      for (const predict of predictors) predicted.push((await predict(table, options)).predictions);
      return predicted;
    },
  };
}
