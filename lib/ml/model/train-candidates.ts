import { InvalidFeatureStep } from "#lib/ml/features/pipeline";
import { TrainingCancelled } from "#lib/ml/train/training-cancelled";
import { type Candidate, fitCandidatePipeline, trainLearner } from "./candidate.ts";
import { evaluateLearner } from "./evaluate-learner.ts";
import type { FeatureSet } from "./feature-sets.ts";
import { type CandidateContext, FAMILY_NAMES, type Family } from "./learner.ts";
import type { Metrics, TargetMetric } from "./model-files.ts";
import { selectFeatureSet } from "./select-features.ts";
import { isBetter } from "./target-metrics.ts";
import { TrainingImpossible } from "./training-impossible.ts";

export type FitStage = "prepare" | "select" | "train" | "validate" | "write";

type Report = (fraction: number, stage: FitStage, message: string) => void;

export type CandidatesRequest = {
  context: CandidateContext;
  families: readonly Family[];
  sets: readonly FeatureSet[];
  horizon: number | null;
  metric: TargetMetric;
  /** What a model should beat on the validation rows. */
  baseline: Metrics;
  onProgress: Report;
};

/** Where no model beats the baseline, more is tried, unless the data is so large that it would take long. */
const SECOND_ATTEMPT_ROWS_MAX = 50_000;

/**
 * Trains each family on the feature set that suits it, and tells which does best on the validation rows. If that is no
 * better than the baseline, the sets that were passed over have their turn.
 * @throws TrainingImpossible where no set has a feature that varies, or one would see the future.
 */
export async function trainCandidates(
  request: CandidatesRequest,
): Promise<{ candidates: Candidate[]; best: Candidate }> {
  const { context, families, sets, horizon, metric, onProgress } = request;
  const candidates: Candidate[] = [];
  for (const [position, family] of families.entries()) {
    const report: Report = (part, stage, message) =>
      onProgress((position + part) / families.length, stage, message);
    const name = FAMILY_NAMES[family];
    report(0, "select", `${name}: choosing features`);
    const { set } = await explainFutureSteps(() =>
      selectFeatureSet(context, family, sets, horizon ?? 1, metric, (done) =>
        report((0.3 * done) / sets.length, "select", `${name}: ${done} of ${sets.length} feature sets tried`),
      ),
    );
    const candidate = await trainCandidate(context, family, set, horizon, (part, stage, message) =>
      report(0.3 + 0.7 * part, stage, message),
    );
    if (candidate) candidates.push(candidate);
  }
  const small = context.data.trainingRows <= SECOND_ATTEMPT_ROWS_MAX;
  if (
    small &&
    !candidates.some(({ evaluation }) => isBetter(metric, evaluation.validation, request.baseline))
  ) {
    const passedOver = families.flatMap((family) =>
      sets
        .filter(
          (set) => !candidates.some((candidate) => candidate.family === family && candidate.set === set),
        )
        .map((set) => ({ family, set })),
    );
    for (const { family, set } of passedOver) {
      const candidate = await trainCandidate(context, family, set, horizon, (_, stage, message) =>
        onProgress(1, stage, message),
      );
      if (candidate) candidates.push(candidate);
    }
  }
  const [first, ...others] = candidates;
  if (!first) {
    throw new TrainingImpossible(
      "No input column varies, and neither the calendar nor lags of the target are to be used.",
    );
  }
  const best = others.reduce(
    (a, b) => (isBetter(metric, b.evaluation.validation, a.evaluation.validation) ? b : a),
    first,
  );
  return { candidates, best };
}

async function trainCandidate(
  context: CandidateContext,
  family: Family,
  set: FeatureSet,
  horizon: number | null,
  report: Report,
): Promise<Candidate | null> {
  const name = FAMILY_NAMES[family];
  const { data } = context;
  if (context.shouldStop()) throw new TrainingCancelled();
  return explainFutureSteps(async () => {
    report(0, "train", `${name}: training on ${data.trainingRows} rows`);
    const pipeline = fitCandidatePipeline(context, family, set, data.trainingRows);
    if (pipeline.steps.every(({ op }) => op === "impute")) return null;
    const learner = trainLearner(context, family, pipeline, (fraction) =>
      report(0.9 * fraction, "train", `${name}: training on ${data.trainingRows} rows`),
    );
    report(0.92, "validate", `${name}: validating on ${data.targets.length - data.trainingRows} rows`);
    const evaluation = await evaluateLearner(context, pipeline, learner, horizon);
    return { family, set, pipeline, learner, evaluation };
  });
}

/** A lag that would see the future is the caller's wish, and the reason why training is impossible. */
async function explainFutureSteps<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof InvalidFeatureStep) throw new TrainingImpossible(cause.message, { cause });
    throw cause;
  }
}
