import { cholesky } from "./cholesky.ts";
import {
  checkData,
  type LinearModel,
  linearModel,
  type Scaling,
  type Solution,
  standardisation,
} from "./linear-design.ts";
import { logLossAt, logOddsOfRate, probabilityOf } from "./log-odds.ts";
import { addMoments, centredMoments, emptyMoments, type Moments } from "./moments.ts";
import { solveRidge } from "./ridge.ts";
import { TrainingCancelled } from "./training-errors.ts";

type LogisticOptions = {
  /** Penalty on the squares of the coefficients of standardised columns: 1 / C in scikit-learn's LogisticRegression. */
  alpha?: number | undefined;
  shouldStop?: (() => boolean) | undefined;
};

/** Penalties tried if `alpha` is omitted, largest first: each solution is a good start for the next. */
const ALPHAS = [1e4, 3e3, 1e3, 300, 100, 30, 10, 3, 1, 0.3, 0.1, 0.03, 0.01];
/** Number of penalties tried after the one with the lowest error so far. */
const PATIENCE = 2;
/** Limits on the rows on which penalties are compared: on their number, and on products per step. */
const COMPARED_ROWS = 20_000;
const COMPARED_PRODUCTS = 1e8;
const STEPS_MAX = 50;
/** Decrease of the objective, relative to the objective, at which the solution is accurate enough. */
const TOLERANCE = 1e-9;

/**
 * Fits logistic regression with a squared penalty by Newton steps, each a weighted ridge regression (Hastie, Tibshirani
 * and Friedman 2009, section 4.4.1). The model predicts the log-odds of 1. Without `alpha`, the penalty with the lowest
 * approximate leave-one-out log loss is chosen (Rad and Maleki 2020).
 *
 * @param target 0 or 1 for each row
 * @throws RangeError for columns of unequal length, or values that are missing or infinite.
 *   TrainingCancelled.
 */
export function trainLogisticRegression(
  columns: Float32Array[],
  target: Float64Array,
  { alpha, shouldStop }: LogisticOptions = {},
): LinearModel {
  checkData(columns, target);
  const rows = { columns, target, scaling: columns.map(standardisation) };
  const chosen = alpha === undefined ? chooseAlpha(rows, shouldStop) : { alpha, start: flat(rows) };
  const solution = solve(rows, chosen.alpha, chosen.start, shouldStop);
  return linearModel({ scaling: rows.scaling, targetMean: 0 }, solution, { alpha: chosen.alpha });
}

type Rows = { columns: Float32Array[]; target: Float64Array; scaling: Scaling[] };

/** Returns the solution without any effect: the rate of the target. */
function flat({ columns, target }: Rows): Solution {
  const rate = target.reduce((sum, y) => sum + y, 0) / target.length;
  return { weights: new Float64Array(columns.length), intercept: logOddsOfRate(rate, target.length) };
}

function chooseAlpha(
  rows: Rows,
  shouldStop: LogisticOptions["shouldStop"],
): { alpha: number; start: Solution } {
  const some = evenlySpaced(rows);
  let start = flat(some);
  let best = { alpha: ALPHAS[0]!, error: Infinity, at: 0, start };
  for (const [at, alpha] of ALPHAS.entries()) {
    start = solve(some, alpha, start, shouldStop);
    const error = leaveOneOutLoss(some, alpha, start);
    if (error < best.error) best = { alpha, error, at, start };
    else if (at - best.at >= PATIENCE) break;
  }
  return best;
}

/** Returns few enough rows to compare penalties on, with the scaling of all rows. */
function evenlySpaced({ columns, target, scaling }: Rows): Rows {
  const affordable = Math.floor(COMPARED_PRODUCTS / Math.max(1, columns.length) ** 2);
  const count = Math.min(target.length, COMPARED_ROWS, Math.max(1_000, affordable));
  if (count === target.length) return { columns, target, scaling };
  const places = Int32Array.from({ length: count }, (_, i) => Math.floor((i * target.length) / count));
  return {
    columns: columns.map((column) => Float32Array.from(places, (place) => column[place]!)),
    target: Float64Array.from(places, (place) => target[place]!),
    scaling,
  };
}

function solve(
  rows: Rows,
  alpha: number,
  start: Solution,
  shouldStop: LogisticOptions["shouldStop"],
): Solution {
  let solution = start;
  let scores = scoresOf(rows, solution);
  let objective = objectiveOf(rows.target, scores, alpha, solution);
  for (let step = 0; step < STEPS_MAX; step++) {
    if (shouldStop?.()) throw new TrainingCancelled();
    const full = solveRidge(workingMoments(rows, scores).moments, alpha);
    let [next, size] = [full, 1];
    let nextScores = scoresOf(rows, next);
    let reached = objectiveOf(rows.target, nextScores, alpha, next);
    // Half steps: a full step can overshoot where the probabilities are near 0 or 1.
    while (!(reached <= objective) && size > 1e-6) {
      size /= 2;
      next = between(solution, full, size);
      nextScores = scoresOf(rows, next);
      reached = objectiveOf(rows.target, nextScores, alpha, next);
    }
    if (!(reached <= objective)) break;
    const gain = objective - reached;
    [solution, scores, objective] = [next, nextScores, reached];
    if (gain <= TOLERANCE * objective) break;
  }
  return solution;
}

function between(from: Solution, to: Solution, share: number): Solution {
  const part = (a: number, b: number) => a + share * (b - a);
  return {
    weights: from.weights.map((weight, i) => part(weight, to.weights[i]!)),
    intercept: part(from.intercept, to.intercept),
  };
}

/** Returns the sum of the log losses, plus half of the penalty. */
function objectiveOf(
  target: Float64Array,
  scores: Float64Array,
  alpha: number,
  { weights }: Solution,
): number {
  let loss = 0;
  for (let row = 0; row < target.length; row++) loss += logLossAt(target[row]!, scores[row]!);
  return loss + (alpha / 2) * weights.reduce((sum, weight) => sum + weight * weight, 0);
}

function scoresOf({ columns, target, scaling }: Rows, { weights, intercept }: Solution): Float64Array {
  const scores = new Float64Array(target.length).fill(intercept);
  columns.forEach((column, feature) => {
    const { offset, perDeviation } = scaling[feature]!;
    const slope = weights[feature]! * perDeviation;
    if (slope === 0) return;
    for (let row = 0; row < scores.length; row++) scores[row]! += slope * (column[row]! - offset);
  });
  return scores;
}

/** Sums the rows for a Newton step: each weighs its curvature, and its target is the score plus residual / curvature. */
function workingMoments({ columns, target, scaling }: Rows, scores: Float64Array) {
  const moments: Moments = emptyMoments(columns.length);
  const curvatures = new Float64Array(target.length);
  const working = scores.map((score, row) => {
    const probability = probabilityOf(score);
    curvatures[row] = probability * (1 - probability);
    return score + (target[row]! - probability) / curvatures[row]!;
  });
  addMoments(moments, columns, scaling, working, 0, 0, target.length, curvatures);
  return { moments, curvatures };
}

/**
 * Estimates the mean log loss of rows that the solution had not learned from: removing a row changes its score by its
 * residual times q / (1 - q × curvature), where q is the row's part of the inverse Hessian.
 */
function leaveOneOutLoss(rows: Rows, alpha: number, solution: Solution): number {
  const { columns, target, scaling } = rows;
  const scores = scoresOf(rows, solution);
  const { moments, curvatures } = workingMoments(rows, scores);
  const { gram, columnMeans } = centredMoments(moments);
  const size = columns.length;
  for (let i = 0; i < size; i++) gram[i * size + i]! += alpha;
  const lower = cholesky(gram, size);
  const solved = new Float64Array(size);
  let loss = 0;
  for (let row = 0; row < target.length; row++) {
    let spread = 1 / moments.count;
    for (let i = 0; i < size; i++) {
      const pivot = lower[i * size + i]!;
      const { offset, perDeviation } = scaling[i]!;
      let rest = (columns[i]![row]! - offset) * perDeviation - columnMeans[i]!;
      for (let k = 0; k < i; k++) rest -= lower[i * size + k]! * solved[k]!;
      solved[i] = pivot > 0 ? rest / pivot : 0;
      spread += solved[i]! ** 2;
    }
    const leverage = Math.min(0.99, spread * curvatures[row]!);
    const residual = target[row]! - probabilityOf(scores[row]!);
    loss += logLossAt(target[row]!, scores[row]! - (spread / (1 - leverage)) * residual);
  }
  return loss / target.length;
}
