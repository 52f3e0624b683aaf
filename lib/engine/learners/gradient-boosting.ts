import { type BoostingParams, boostingDefaults } from "./boosting-params.ts";
import { treeGrower } from "./grow-tree.ts";
import { lossOf } from "./losses.ts";
import { MAX_ROWS } from "./packed-residuals.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";
import { type TrainingMemory, trainingMemory } from "./shared-memory.ts";
import { TrainingCancelled } from "./training-errors.ts";
import { startTrainingPool, type TrainingPool, threadsFor } from "./training-pool.ts";
import { addTree, type Ensemble, type Tree } from "./tree.ts";

type BoostingOptions = {
  validation?: { columns: Float32Array[]; target: Float64Array };
  /** Called after each round with the completed fraction, at most 1. */
  onProgress?(fraction: number): void;
  /** Called before each round and before each column is binned; returns true to cancel. */
  shouldStop?(): boolean;
  /** Number of threads; by default it depends on the size of the data. The number does not affect the result. */
  threads?: number;
};

type BoostingResult = {
  ensemble: Ensemble;
  /** Number of rounds with the lowest validation error; without validation, the number of rounds trained. */
  bestRound: number;
  /** Validation error after each trained round, in the metric of the loss; empty without validation. */
  validationCurve: number[];
};

/**
 * Trains gradient boosting of histogram trees (Friedman 2001; Ke et al. 2017). Missing values are NaN. With early
 * stopping the ensemble is cut to its best round. The same input and seed give the same trees, bit for bit, for any
 * number of threads. Training ends early when a tree finds no split.
 *
 * @param target finite values, one for each row of the columns
 * @throws RangeError for more than `MAX_ROWS` rows, or a negative target with Poisson loss. TrainingCancelled when
 *   `shouldStop` returns true.
 */
export function trainGradientBoosting(
  columns: Float32Array[],
  target: Float64Array,
  params: Partial<BoostingParams>,
  options: BoostingOptions = {},
): BoostingResult {
  const settings = { ...boostingDefaults, ...params };
  if (target.length > MAX_ROWS)
    throw new RangeError(`Training accepts at most ${MAX_ROWS} rows, not ${target.length}.`);
  const threads = options.threads ?? threadsFor(target.length, columns.length, settings.rounds);
  const memory = trainingMemory(target, columns.length, settings, threads);
  const trainingPool = startTrainingPool(memory);
  try {
    binColumns(columns, memory, trainingPool, options);
    return boost(memory, trainingPool, settings, options);
  } finally {
    trainingPool.end();
  }
}

function throwIfCancelled({ shouldStop }: BoostingOptions): void {
  if (shouldStop?.()) throw new TrainingCancelled();
}

/** Bins one column per shard at a time, so that shared memory never holds all columns. */
function binColumns(
  columns: Float32Array[],
  memory: TrainingMemory,
  trainingPool: TrainingPool,
  options: BoostingOptions,
): void {
  for (let feature = 0; feature < columns.length; feature += memory.shardCount) {
    throwIfCancelled(options);
    columns.slice(feature, feature + memory.shardCount).forEach((column, shard) => {
      memory.shards[shard]!.column.set(column);
    });
    trainingPool.perform({ name: "bin", feature }, 50 * memory.rowCount);
  }
}

function boost(
  memory: TrainingMemory,
  trainingPool: TrainingPool,
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
  const grow = treeGrower(memory, trainingPool, loss, settings);

  memory.scores.fill(baseValue);
  const scores = new Float64Array(validation?.target.length ?? 0).fill(baseValue);
  const trees: Tree[] = [];
  const validationCurve: number[] = [];
  let best = { round: 0, error: validation ? loss.error(validation.target, scores) : 0 };

  for (let round = 1; round <= settings.rounds && usable.length > 0; round++) {
    throwIfCancelled(options);
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

/** Marks `part` of the rows by 1 and the others by 0. */
function sampleRows(inSample: Uint8Array, part: number, random: SeededRandom): void {
  if (part === 1) return;
  const rows = inSample.length;
  inSample.fill(0);
  for (const row of random.sample(rows, Math.max(1, Math.round(rows * part)))) inSample[row] = 1;
}

/** Draws `part` of the features, at least one. */
function sampleFeatures(usable: Int32Array, part: number, random: SeededRandom): Int32Array {
  if (part === 1) return usable;
  const count = Math.max(1, Math.round(usable.length * part));
  return random.sample(usable.length, count).map((at) => usable[at]!);
}
