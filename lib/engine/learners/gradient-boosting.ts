import { sampleFeatures, sampleRows } from "#lib/ml/train/sample";
import { TrainingCancelled } from "#lib/ml/train/training-cancelled";
import { type BoostingParams, checkedParams } from "./boosting-params.ts";
import { treeGrower } from "./grow-tree.ts";
import { lossOf } from "./losses.ts";
import { MAX_ROWS } from "./packed-residuals.ts";
import { seededRandom } from "./seeded-random.ts";
import { type TrainingMemory, trainingMemory } from "./shared-memory.ts";
import { type Crew, startCrew, threadsFor } from "./training-pool.ts";
import { addTree, type Ensemble, type Tree } from "./tree.ts";

export type { BoostingParams } from "./boosting-params.ts";

export type BoostingOptions = {
  validation?: { columns: Float32Array[]; target: Float64Array };
  /** Called after each round with the part done, at most 1. */
  onProgress?(fraction: number): void;
  /** Asked before each round and each column that is binned. */
  shouldStop?(): boolean;
  /** As many as the size of the data is worth, unless told. The result is the same. */
  threads?: number;
};

export type BoostingResult = {
  ensemble: Ensemble;
  /** The number of rounds with the least validation error; without validation, the rounds trained. */
  bestRound: number;
  /** Validation error after each round trained, as the loss measures it; empty without validation. */
  validationCurve: number[];
};

/**
 * Gradient boosting of histogram trees (Friedman 2001; Ke et al. 2017). Missing values are NaN. With early stopping the
 * ensemble is cut to its best round. The same input and seed give the same trees, bit for bit, whatever the number of
 * threads. Training ends early where no tree finds a split any more.
 *
 * @throws RangeError for parameters out of range, columns of unequal length or a target that is not finite, or
 *   negative with Poisson loss; TrainingCancelled when `shouldStop` says so.
 */
export function trainGradientBoosting(
  columns: Float32Array[],
  target: Float64Array,
  params: Partial<BoostingParams>,
  options: BoostingOptions = {},
): BoostingResult {
  const settings = checkedParams(params, columns.length);
  checkData(columns, target);
  if (options.validation) checkData(options.validation.columns, options.validation.target);
  const threads = options.threads ?? threadsFor(target.length, columns.length, settings.rounds);
  const memory = trainingMemory(target, columns.length, settings, threads);
  const crew = startCrew(memory);
  try {
    binColumns(columns, memory, crew, options);
    return boost(memory, crew, settings, options);
  } finally {
    crew.end();
  }
}

function stopIfAsked({ shouldStop }: BoostingOptions): void {
  if (shouldStop?.()) throw new TrainingCancelled();
}

/** Each shard bins a column at a time: shared memory never holds all of them. */
function binColumns(
  columns: Float32Array[],
  memory: TrainingMemory,
  crew: Crew,
  options: BoostingOptions,
): void {
  for (let feature = 0; feature < columns.length; feature += memory.shardCount) {
    stopIfAsked(options);
    columns.slice(feature, feature + memory.shardCount).forEach((column, shard) => {
      memory.shards[shard]!.column.set(column);
    });
    crew.perform({ name: "bin", feature }, 50 * memory.rowCount);
  }
}

function boost(
  memory: TrainingMemory,
  crew: Crew,
  settings: BoostingParams,
  options: BoostingOptions,
): BoostingResult {
  const { target, featureCount } = memory;
  const { validation, onProgress } = options;
  const loss = lossOf(settings);
  const baseValue = Math.fround(loss.baseScore(target));
  const usable = Int32Array.from({ length: featureCount }, (_, feature) => feature).filter(
    (feature) => memory.cutCounts[feature]! > 0,
  );
  const random = seededRandom(settings.seed);
  const grow = treeGrower(memory, crew, loss, settings);

  memory.scores.fill(baseValue);
  const scores = new Float64Array(validation?.target.length ?? 0).fill(baseValue);
  const trees: Tree[] = [];
  const validationCurve: number[] = [];
  let best = { round: 0, error: validation ? loss.error(validation.target, scores) : 0 };

  for (let round = 1; round <= settings.rounds && usable.length > 0; round++) {
    stopIfAsked(options);
    sampleRows(memory.inSample, settings.subsample, random);
    const tree = grow(sampleFeatures(usable, settings.colsample, random));
    if (tree) {
      trees.push(tree);
      if (validation) addTree(tree, validation.columns, scores);
    } else if (settings.subsample === 1 && settings.colsample === 1) break;
    onProgress?.(round / settings.rounds);
    if (!validation) continue;
    const error = loss.error(validation.target, scores);
    validationCurve.push(error);
    if (error < best.error) best = { round: trees.length, error };
    const patience = settings.earlyStoppingRounds;
    if (patience > 0 && trees.length - best.round >= patience) break;
  }

  const bestRound = validation ? best.round : trees.length;
  if (validation && settings.earlyStoppingRounds > 0) trees.length = bestRound;
  onProgress?.(1);
  const link = loss.link ? { link: loss.link } : {};
  return {
    ensemble: { kind: "trees", baseValue, featureCount, trees, ...link },
    bestRound,
    validationCurve,
  };
}

function checkData(columns: Float32Array[], target: Float64Array): void {
  if (target.length === 0) throw new RangeError("There are no rows.");
  if (target.length > MAX_ROWS) throw new RangeError(`More than ${MAX_ROWS} rows cannot be trained on.`);
  if (columns.some((column) => column.length !== target.length)) {
    throw new RangeError(`Every column must have as many values as the target: ${target.length}.`);
  }
  if (!target.every(Number.isFinite)) throw new RangeError("The target has missing or infinite values.");
}
