import { binColumns } from "./bins.ts";
import { lowerResidualsOf, treeGrower } from "./grow-tree.ts";
import { MAX_ROWS } from "./packed-residuals.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";
import { TrainingCancelled } from "./training-cancelled.ts";
import { addTree, type Ensemble, type Tree } from "./tree.ts";

export type BoostingParams = {
  rounds: number;
  maxLeaves: number;
  learningRate: number;
  /** Least number of training rows in a leaf. */
  minLeaf: number;
  /** Added to the row count in each leaf's mean: shrinks small leaves. */
  l2: number;
  /** Part of the rows, and of the columns, that each tree sees. */
  subsample: number;
  colsample: number;
  maxBins: number;
  seed: number;
  /** Stop after this many rounds without a better validation error; 0: never. */
  earlyStoppingRounds: number;
};

export const boostingDefaults: BoostingParams = {
  rounds: 300,
  maxLeaves: 31,
  learningRate: 0.1,
  minLeaf: 20,
  l2: 0,
  subsample: 1,
  colsample: 1,
  maxBins: 255,
  seed: 1,
  earlyStoppingRounds: 0,
};

export type BoostingOptions = {
  validation?: { columns: Float32Array[]; target: Float64Array };
  /** Called after each round with the part done, at most 1. */
  onProgress?(fraction: number): void;
  /** Asked before each round and each column that is binned. */
  shouldStop?(): boolean;
};

export type BoostingResult = {
  ensemble: Ensemble;
  /** The number of rounds with the least validation error; without validation, the rounds trained. */
  bestRound: number;
  /** Validation RMSE after each round trained; empty without validation. */
  validationCurve: number[];
};

/**
 * Least-squares gradient boosting of histogram trees (Friedman 2001; Ke et al. 2017). Missing values are NaN.
 * With early stopping the ensemble is cut to its best round. The same input and seed give the same trees, bit for
 * bit. Training ends early where no tree finds a split any more.
 *
 * @throws RangeError for parameters out of range, columns of unequal length or a target that is not finite;
 *   TrainingCancelled when `shouldStop` says so.
 */
export function trainGradientBoosting(
  columns: Float32Array[],
  target: Float64Array,
  params: Partial<BoostingParams>,
  options: BoostingOptions = {},
): BoostingResult {
  const settings = checkedParams(params);
  checkData(columns, target);
  const { validation } = options;
  if (validation) checkData(validation.columns, validation.target);
  const stopIfAsked = () => {
    if (options.shouldStop?.()) throw new TrainingCancelled();
  };

  const data = binColumns(columns, settings.maxBins, stopIfAsked);
  const usable = Int32Array.from(columns.keys()).filter((feature) => data.cuts[feature]!.length > 0);
  const random = seededRandom(settings.seed);
  const grow = treeGrower(data, settings);

  const baseValue = Math.fround(target.reduce((sum, y) => sum + y, 0) / target.length);
  const residuals = target.map((y) => y - baseValue);
  const rows = new Int32Array(target.length);
  const predictions = new Float64Array(validation?.target.length ?? 0).fill(baseValue);
  const trees: Tree[] = [];
  const validationCurve: number[] = [];
  let best = { round: 0, error: validation ? rootMeanSquare(validation.target, predictions) : 0 };

  for (let round = 1; round <= settings.rounds && usable.length > 0; round++) {
    stopIfAsked();
    const sample = sampleRows(rows, settings.subsample, random);
    const grown = grow(residuals, sample.chosen, sampleFeatures(usable, settings.colsample, random));
    if (grown) {
      trees.push(grown.tree);
      lowerResidualsOf(residuals, sample.others, data, grown);
      if (validation) addTree(grown.tree, validation.columns, predictions);
    } else if (settings.subsample === 1 && settings.colsample === 1) break;
    options.onProgress?.(round / settings.rounds);
    if (!validation) continue;
    const error = rootMeanSquare(validation.target, predictions);
    validationCurve.push(error);
    if (error < best.error) best = { round: trees.length, error };
    const patience = settings.earlyStoppingRounds;
    if (patience > 0 && trees.length - best.round >= patience) break;
  }

  const bestRound = validation ? best.round : trees.length;
  if (validation && settings.earlyStoppingRounds > 0) trees.length = bestRound;
  options.onProgress?.(1);
  return {
    ensemble: { kind: "trees", baseValue, featureCount: columns.length, trees },
    bestRound,
    validationCurve,
  };
}

function checkedParams(params: Partial<BoostingParams>): BoostingParams {
  const settings = { ...boostingDefaults, ...params };
  const demand = (name: keyof BoostingParams, valid: boolean, range: string) => {
    if (!valid) throw new RangeError(`${name} must be ${range}, not ${settings[name]}.`);
  };
  const isWhole = (value: number, from: number, to = Infinity) =>
    Number.isInteger(value) && value >= from && value <= to;
  const isPart = (value: number) => value > 0 && value <= 1;
  demand("rounds", isWhole(settings.rounds, 0), "a whole number, 0 or more");
  demand("maxLeaves", isWhole(settings.maxLeaves, 2, 65_536), "a whole number from 2 to 65536");
  demand("learningRate", settings.learningRate > 0 && settings.learningRate <= 10, "above 0 and at most 10");
  demand("minLeaf", isWhole(settings.minLeaf, 1), "a whole number, 1 or more");
  demand("l2", settings.l2 >= 0 && Number.isFinite(settings.l2), "0 or more");
  demand("subsample", isPart(settings.subsample), "above 0 and at most 1");
  demand("colsample", isPart(settings.colsample), "above 0 and at most 1");
  demand("maxBins", isWhole(settings.maxBins, 2, 255), "a whole number from 2 to 255");
  demand("seed", Number.isFinite(settings.seed), "a number");
  demand("earlyStoppingRounds", isWhole(settings.earlyStoppingRounds, 0), "a whole number, 0 or more");
  return settings;
}

function checkData(columns: Float32Array[], target: Float64Array): void {
  if (target.length === 0) throw new RangeError("There are no rows.");
  if (target.length > MAX_ROWS) throw new RangeError(`More than ${MAX_ROWS} rows cannot be trained on.`);
  if (columns.some((column) => column.length !== target.length)) {
    throw new RangeError(`Every column must have as many values as the target: ${target.length}.`);
  }
  if (!target.every(Number.isFinite)) throw new RangeError("The target has missing or infinite values.");
}

/** The rows that a tree is grown on, and the rest. `rows` is a buffer for the case of all. */
function sampleRows(rows: Int32Array, part: number, random: SeededRandom) {
  if (part === 1) {
    for (let row = 0; row < rows.length; row++) rows[row] = row;
    return { chosen: rows, others: new Int32Array(0) };
  }
  const chosen = random.sample(rows.length, Math.max(1, Math.round(rows.length * part)));
  const others = new Int32Array(rows.length - chosen.length);
  let nextChosen = 0;
  for (let row = 0, at = 0; row < rows.length; row++) {
    if (chosen[nextChosen] === row) nextChosen++;
    else others[at++] = row;
  }
  return { chosen, others };
}

function sampleFeatures(usable: Int32Array, part: number, random: SeededRandom): Int32Array {
  if (part === 1) return usable;
  const count = Math.max(1, Math.round(usable.length * part));
  return random.sample(usable.length, count).map((at) => usable[at]!);
}

function rootMeanSquare(actual: Float64Array, predicted: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < actual.length; row++) sum += (actual[row]! - predicted[row]!) ** 2;
  return Math.sqrt(sum / actual.length);
}
