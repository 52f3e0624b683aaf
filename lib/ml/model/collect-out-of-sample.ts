import { byOrigin, type OutOfSample } from "#lib/engine/training/back-test";
import { fitCandidate } from "#lib/engine/training/fit-candidate";
import { predictFold } from "#lib/engine/training/predict-fold";
import type { Finalist } from "#lib/engine/training/train-finalists";
import { TrainingCancelled } from "#lib/ml/train/training-cancelled";
import type { CandidateContext } from "./learner.ts";

/** Forecast origins that errors are observed from, where a fit costs little. */
const ORIGINS_MAX = 24;
/** Multiplications that all of them may take together: about a second. */
const WORK = 3e8;
/** Rounds of boosting for each. */
const QUICK = { rounds: 150, learningRate: 0.1 };
/** Part of the rows before the first origin. */
const FIRST_PART = 0.4;
const LEARNED_MIN = 6;

/** Predictions of a candidate for rows that it had not learned from. */
export type OutOfSampleRows = {
  /** From several origins, each by a model fitted on the rows before it. */
  backTests: OutOfSample[];
  validation: OutOfSample;
  /** Those that stand for how the model that is fitted on all rows will err. */
  calibration: OutOfSample[];
};

/**
 * Collects how the kept candidate has predicted what came later. Where fits are cheap, from many origins up to the last
 * row, as the model that is fitted on all rows will be used; otherwise from those of the search.
 */
export async function collectOutOfSample(
  context: CandidateContext,
  { tried, fitted, validated }: Finalist,
): Promise<OutOfSampleRows> {
  const { data, horizon } = context;
  const rows = data.targets.length;
  const { learner } = fitted;
  const columns = learner.kind === "linear" ? learner.coefficients.length : learner.featureCount;
  const work = rows * (learner.kind === "linear" ? columns ** 2 + 50 : columns * QUICK.rounds);
  const furthest = Math.max(
    1,
    ...tried.set.lags,
    ...tried.set.rolling.map(({ window, shift }) => window + shift),
  );
  const first = Math.max(
    LEARNED_MIN,
    Math.min(Math.floor(rows / 2), furthest + LEARNED_MIN),
    Math.floor(FIRST_PART * rows),
  );
  const count = Math.min(ORIGINS_MAX, rows - first, Math.floor(WORK / work));
  const later = byOrigin(validated);
  const searched = tried.backTests.flatMap(byOrigin);
  if (horizon === null || count <= searched.length + later.length) {
    const calibration = data.order === "random" ? later : [...searched, ...later];
    return { backTests: tried.backTests, validation: validated, calibration };
  }
  const backTests: OutOfSample[] = [];
  for (let i = 0; i < count; i++) {
    if (context.shouldStop()) throw new TrainingCancelled();
    const from = first + Math.round((i * (rows - 1 - first)) / Math.max(1, count - 1));
    const to = Math.min(rows, from + horizon);
    const settings = learner.kind === "linear" ? { alpha: learner.alpha, l1Ratio: learner.l1Ratio } : {};
    const spec = { ...tried, hyperparameters: { ...tried.hyperparameters, ...settings } };
    const past = fitCandidate(context, spec, [{ from: 0, to: from }], { quick: QUICK });
    if (past === null) continue;
    const { predictions, steps } = await predictFold(context, past, { from, to });
    backTests.push({ from, actual: data.targets.subarray(from, to), predicted: predictions, steps });
  }
  return { backTests, validation: validated, calibration: backTests };
}
