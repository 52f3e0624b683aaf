import type { Hyperparameters } from "#lib/contract/hyperparameters";
import type { RowOrder } from "#lib/engine/learners/linear-design";
import type { BackTestBudget } from "./back-test.ts";
import type { Fold } from "./folds.ts";

/** A rung of successive halving: fewer candidates than before, each with at least as many folds and trees. */
export type Rung = { folds: readonly Fold[]; budget: BackTestBudget };

type SearchPlan = {
  /** The rungs compare features, then settings, then families. */
  rungs: readonly [features: Rung, settings: Rung, families: Rung];
  boostingSettings: readonly Hyperparameters[];
};

/** Boosting settings to try if the caller set none, the default first. */
const BOOSTING_SETTINGS: readonly Hyperparameters[] = [
  {},
  { maxLeaves: 31 },
  { maxLeaves: 7 },
  { colsample: 0.6 },
  { maxLeaves: 31, colsample: 0.6 },
  { maxLeaves: 63, minLeaf: 40 },
  { maxLeaves: 31, l2: 10 },
  { minLeaf: 60 },
];
/** Number of settings worth trying in time order, where only a clear win counts. */
const SETTINGS_IN_TIME = 4;
/** Number of settings that reach the last rung. */
export const SETTINGS_KEPT = 2;

const QUICK = [
  { rounds: 120, learningRate: 0.15 },
  { rounds: 120, learningRate: 0.15 },
  { rounds: 300, learningRate: 0.1 },
] as const;

/**
 * Limit on values × trees per search: about ten seconds of one processor. A count instead of a clock keeps the result
 * deterministic.
 */
const WORK = 1.2e9;
/**
 * Data with at most this many values is compared on all folds in every rung: a single fold chooses wrong in a third of
 * short series.
 */
const SMALL_VALUES = 20_000;
/** With fewer rows, the best number of leaves for many rows cannot be estimated. */
const ROWS_MIN = 4_000;

/**
 * Plans the search for data of this size. Larger data is searched on its latest rows. If too few rows are affordable,
 * the search tries fewer settings.
 */
export function planSearch(
  folds: readonly Fold[],
  size: { rows: number; columns: number; sets: number; order: RowOrder },
): SearchPlan {
  const last = (count: number) => folds.slice(-count);
  const isSmall = size.rows * Math.max(1, size.columns) <= SMALL_VALUES;
  const parts = isSmall ? [folds, folds, folds] : [last(1), last(2), folds];
  const rowsFor = (settings: number) => {
    const fits = [
      size.sets * parts[0]!.length,
      settings > 1 ? settings * parts[1]!.length : 0,
      Math.min(settings, SETTINGS_KEPT) * folds.length,
    ];
    const trees = fits.reduce((sum, count, rung) => sum + count * QUICK[rung]!.rounds, 0);
    return Math.floor(WORK / (trees * Math.max(1, size.columns)));
  };
  const most = size.order === "time" ? SETTINGS_IN_TIME : BOOSTING_SETTINGS.length;
  const settings = [most, 4, 1].find((count) => rowsFor(count) >= Math.min(size.rows, ROWS_MIN)) ?? 1;
  const rowsMax = Math.max(1_000, rowsFor(settings));
  const [first, second, third] = QUICK.map((quick, i) => ({
    folds: parts[i]!,
    budget: { ...quick, rowsMax },
  }));
  return { rungs: [first!, second!, third!], boostingSettings: BOOSTING_SETTINGS.slice(0, settings) };
}
