import type { TargetMetric } from "#lib/contract/models";
import type { OutOfSample } from "#lib/engine/inference/out-of-sample-file";
import { comparedError } from "./back-test.ts";
import type { BlendSpecPart } from "./candidate.ts";
import { meanError, usesInputs } from "./choose-candidate.ts";
import { INPUTS_ONLY } from "./feature-sets.ts";
import type { Tried } from "./tried.ts";

/** Number of steps from a weight of 0 to 1 that are compared. */
const STEPS = 20;
/** Maximum number of test rows that weights are compared on. */
const ROWS_MAX = 20_000;
/** Weight below which a part is left out: it costs time, and hardly changes a prediction. */
const WEIGHT_MIN = 0.1;
/**
 * Margin by which a blend must beat its best part if many forecasts in time order measured both. A single model goes on more
 * predictably beyond the rows that measured it. With three forecasts, which part is best is chance, and there is no margin.
 */
const MARGIN = 0.05;
const FORECASTS_MIN = 3;
/** Maximum error of a part, relative to the best: a worse one helps by chance, if at all. */
const ERROR_MAX = 1.25;

/**
 * Returns the candidates of levels or those of logarithms, with those that ignore the inputs. One scale for all parts of a
 * blend keeps effects in units, or in per cent.
 *
 * Back-tests of both decide, on the mean over the families, by the sum of two logarithms: the ratio of the errors in the
 * target's unit, and that of the likelihoods (Box and Cox 1964). The unit alone would leave the choice to the largest values.
 * The likelihood of logarithms y' = log y counts dy'/dy = 1/y, so their errors are multiplied by the geometric mean of y.
 */
export function chooseScale(contenders: readonly Tried[]): Tried[] {
  const gains = contenders.flatMap((logs) => {
    if (!logs.logs) return [];
    const ofFamily = contenders.filter((one) => one.family === logs.family && !one.logs && usesInputs(one));
    const levels = ofFamily.reduce((a, b) => (meanError(b) < meanError(a) ? b : a));
    return [Math.log(meanError(logs) / meanError(levels)) + likelihoodRatio(logs, levels)];
  });
  const useLogs = gains.length > 0 && gains.reduce((sum, gain) => sum + gain, 0) < 0;
  return contenders.filter((one) => !usesInputs(one) || (one.logs ?? false) === useLogs);
}

/** Metrics that means minimise; medians minimise the others. */
export const MEANS: ReadonlySet<TargetMetric> = new Set(["rmse", "r2"]);

/** Returns the logarithm of the ratio of the scales of both candidates' errors: below 0 if logarithms are more likely. */
export function likelihoodRatio(
  { backTests, factor = 1 }: Pick<Tried, "backTests" | "factor">,
  levels: Pick<Tried, "backTests">,
): number {
  const meanOf = (tests: readonly OutOfSample[], of: (actual: number, predicted: number) => number) => {
    const values = tests.flatMap(({ actual, predicted }) =>
      Array.from(actual, (value, row) => of(value, predicted[row]!)),
    );
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const ofLogs = meanOf(backTests, (actual, predicted) => Math.abs(Math.log((actual * factor) / predicted)));
  const size = meanOf(backTests, (actual) => Math.log(actual));
  const ofLevels = meanOf(levels.backTests, (actual, predicted) => Math.abs(actual - predicted));
  return Math.log(ofLogs) + size - Math.log(ofLevels);
}

/**
 * Blends candidates by the weights with the least error of their back-tests (stacking, Wolpert 1992; Breiman 1996). Errors
 * of few forecasts vary by chance, so equal weights are the prior: the error of weights w rises by the mean squared distance
 * of w to them, divided by the number of forecasts. Returns the only candidate with a weight unblended.
 *
 * @param using candidates back-tested on the same folds
 * @param forecasts number of independent forecasts in the test rows; infinite for rows in random order
 */
export function blend(using: readonly Tried[], forecasts: number, metric: TargetMetric): Tried {
  // Two linear families are almost the same model, so only the better one takes part.
  const linear = using.filter(({ family }) => family === "ridge" || family === "elastic_net");
  const better = linear.toSorted((a, b) => meanError(a) - meanError(b))[0];
  const least = Math.min(...using.map(meanError));
  const candidates = using.filter(
    (one) => (one === better || !linear.includes(one)) && meanError(one) <= ERROR_MAX * least,
  );
  const [first] = candidates as [Tried];
  const weights = leastWeights(candidates, forecasts, metric);
  const total = weights.reduce((sum, weight) => sum + (weight < WEIGHT_MIN ? 0 : weight), 0);
  const parts = candidates.flatMap((spec, at): BlendSpecPart[] =>
    weights[at]! < WEIGHT_MIN ? [] : [{ weight: weights[at]! / total, spec }],
  );
  if (parts.length === 1) return parts[0]!.spec as Tried;
  const backTests = first.backTests.map((rows, fold): OutOfSample => {
    const predicted = new Float64Array(rows.predicted.length);
    for (const { weight, spec } of parts) {
      const own = (spec as Tried).backTests[fold]!.predicted;
      for (let row = 0; row < predicted.length; row++) predicted[row]! += weight * own[row]!;
    }
    return { ...rows, predicted };
  });
  const blended: Tried = {
    family: "blend",
    set: INPUTS_ONLY,
    hyperparameters: first.hyperparameters,
    parts,
    scores: backTests.map(({ actual, predicted }) =>
      comparedError(metric, first.hyperparameters, actual, predicted),
    ),
    learned: first.learned,
    rung: Math.max(...candidates.map(({ rung }) => rung)),
    backTests,
    seconds: 0,
  };
  const best = candidates.reduce((a, b) => (meanError(b) < meanError(a) ? b : a));
  const margin = Number.isFinite(forecasts) ? MARGIN * Math.max(0, 1 - FORECASTS_MIN / forecasts) : 0;
  return meanError(blended) <= meanError(best) * (1 - margin) || forecasts <= FORECASTS_MIN ? blended : best;
}

function leastWeights(candidates: readonly Tried[], forecasts: number, metric: TargetMetric): number[] {
  const [first] = candidates as [Tried];
  const { hyperparameters, learned } = first;
  const rows = first.backTests.reduce((sum, { actual }) => sum + actual.length, 0);
  const every = Math.ceil(rows / ROWS_MAX);
  const thinned = (values: Float64Array) => (every === 1 ? values : values.filter((_, i) => i % every === 0));
  const folds = first.backTests.map(({ actual }, fold) => ({
    actual: thinned(actual),
    predicted: candidates.map(({ backTests }) => thinned(backTests[fold]!.predicted)),
  }));
  const equal = 1 / candidates.length;
  const unit = Math.min(...candidates.map(meanError));
  const errorOf = (weights: readonly number[]): number => {
    const scores = folds.map(({ actual, predicted }) => {
      const mixed = actual.map((_, row) =>
        weights.reduce((sum, weight, at) => sum + weight * predicted[at]![row]!, 0),
      );
      return comparedError(metric, hyperparameters, actual, mixed);
    });
    const apart = weights.reduce((sum, weight) => sum + (weight - equal) ** 2, 0);
    return meanError({ scores, learned }) + (unit * apart) / Math.max(1, forecasts);
  };
  let best = { weights: candidates.map(() => equal), error: Number.POSITIVE_INFINITY };
  for (const weights of simplex(candidates.length, STEPS)) {
    const error = errorOf(weights);
    if (error < best.error) best = { weights, error };
  }
  return best.weights;
}

/** Yields all weights in steps of 1 / `steps` that add up to 1. */
function* simplex(count: number, steps: number, left = steps): Generator<number[]> {
  if (count === 1) yield [left / steps];
  else
    for (let own = 0; own <= left; own++)
      for (const rest of simplex(count - 1, steps, left - own)) yield [own / steps, ...rest];
}

/** Multiple of the median absolute deviation beyond which an error counts as this multiple. */
const CLIP = 3 * 1.4826;

/**
 * Returns the factor by which means exceed medians. For a log-normal target it is e^(v / 2), where v is the variance of the
 * logarithmic errors, taken around the middle of their fold. If errors vary in size, so that nights err more than days, the
 * ratio of the totals is right, but few rows estimate it badly. So the ratio moves the logarithm v / 2, which counts as
 * known up to half of itself, by as much as the ratio's own standard error warrants. Far errors are clipped, so that one wrong
 * value hardly counts.
 *
 * @param backTests medians
 */
export function meanFactor(backTests: readonly OutOfSample[]): number {
  const rows = backTests.flatMap(({ actual, predicted }) => {
    const own = Array.from(actual, (value, row) => ({
      error: Math.log(value / predicted[row]!),
      predicted: predicted[row]!,
    })).filter(({ error }) => Number.isFinite(error));
    const middle = medianOf(own.map(({ error }) => error));
    return own.map((one) => ({ ...one, error: one.error - middle }));
  });
  const limit = CLIP * medianOf(rows.map(({ error }) => Math.abs(error)));
  const clipped = rows.map((one) => ({ ...one, error: Math.max(-limit, Math.min(limit, one.error)) }));
  const free = Math.max(1, rows.length - backTests.length);
  const expected = clipped.reduce((sum, { error }) => sum + error ** 2, 0) / free / 2;
  const total = clipped.reduce((sum, one) => sum + one.predicted, 0);
  const ratio = clipped.reduce((sum, one) => sum + one.predicted * Math.exp(one.error), 0) / total;
  const squares = clipped.reduce((sum, one) => sum + (one.predicted * (Math.exp(one.error) - ratio)) ** 2, 0);
  const [ownVariance, priorVariance] = [squares / (total * ratio) ** 2, (expected / 2) ** 2];
  const share = priorVariance / (priorVariance + ownVariance) || 0;
  return Math.exp(expected + share * (Math.log(ratio) - expected)) || 1;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return 0;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Turns the medians that a candidate of logarithms predicts into means, and measures it again. */
export function predictMeans(candidate: Tried, metric: TargetMetric): void {
  const factor = meanFactor(candidate.backTests);
  candidate.factor = factor;
  candidate.backTests = candidate.backTests.map((rows) => ({
    ...rows,
    predicted: rows.predicted.map((value) => factor * value),
  }));
  candidate.scores = candidate.backTests.map(({ actual, predicted }) =>
    comparedError(metric, candidate.hyperparameters, actual, predicted),
  );
}
