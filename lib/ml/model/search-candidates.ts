import type { CalibrationRows } from "#lib/ml/intervals/conformal";
import { numericValues, selectColumns } from "#lib/ml/table/columns";
import { meanBaseline } from "#lib/ml/train/seasonal-naive";
import { backTest } from "./back-test.ts";
import type { FeatureSet } from "./feature-sets.ts";
import { backTestFolds, tableOf } from "./folds.ts";
import {
  type CandidateContext,
  type CandidateSpec,
  FAMILY_NAMES,
  type Family,
  type Hyperparameters,
} from "./learner.ts";
import type { TargetMetric } from "./model-files.ts";
import { planSearch, type Rung, SETTINGS_KEPT } from "./search-plan.ts";
import { comparedError } from "./target-metrics.ts";

/** A candidate and what its back-tests gave, in the last rung that it reached. */
export type Tried = CandidateSpec & {
  /** Errors by fold, the latest last; empty where there was nothing to choose between. */
  scores: number[];
  rung: number;
  /** What it said of those folds' rows. */
  backTests: CalibrationRows[];
  seconds: number;
};

export type Search = {
  tried: Tried[];
  /** The best of each family; the best of all first. */
  finalists: Tried[];
  /** Errors of the naive forecast on every fold: of the best season or, without a series, of the mean. */
  naive: number[];
};

export type SearchRequest = {
  context: CandidateContext;
  families: readonly Family[];
  sets: readonly FeatureSet[];
  /** Seasons that the naive forecast may repeat, in steps. */
  seasons: readonly number[];
  hyperparameters: Hyperparameters;
  metric: TargetMetric;
  report: (fraction: number, message: string) => void;
};

const SEARCHED = ["rounds", "maxLeaves", "learningRate", "minLeaf", "l2", "subsample", "colsample"] as const;

/** Lags must beat doing without by this much: a model without them is simpler, and its rows stand alone. */
const LAGS_MARGIN = 0.02;
/** What is simpler, or the default, must be beaten by this much. */
const MARGIN = 0.003;

/**
 * Successive halving (Jamieson and Talwalkar 2016) over families, target lags and boosting settings, on back-tests
 * inside the training rows: first which lags suit each family, then which settings suit boosting on them, then the best
 * of each family on every fold. Everything that was tried comes back, `best` first of each family and of all.
 */
export async function searchCandidates(request: SearchRequest): Promise<Search> {
  const { context, families, sets, hyperparameters } = request;
  const { data, timestamp } = context;
  const folds = backTestFolds(data, timestamp !== null);
  const plan = planSearch(folds, {
    rows: data.trainingRows,
    columns: data.inputs.length + 6,
    sets: sets.length,
  });
  const [features, settings, last] = plan.rungs;
  const searched = families.includes("gradient_boosting") && !hasBoostingSettings(hyperparameters);
  const boosting = searched ? plan.boostingSettings : [{}];

  const tried: Tried[] = [];
  const progress = counter(request, plannedCost(request, plan.rungs, boosting.length));
  const run = async (candidates: readonly Tried[], rung: Rung, number: number) => {
    for (const candidate of candidates) {
      if (!tried.includes(candidate)) tried.push(candidate);
      const started = performance.now();
      candidate.scores = [];
      candidate.backTests = [];
      candidate.rung = number;
      for (const fold of rung.folds) {
        progress(candidate, rung);
        const { error, rows } = await backTest(context, candidate, fold, rung.budget, request.metric);
        candidate.scores.push(error);
        if (rows) candidate.backTests.push(rows);
      }
      candidate.seconds += (performance.now() - started) / 1000;
    }
  };
  const candidate = (family: Family, set: FeatureSet, extra: Hyperparameters = {}): Tried => ({
    family,
    set,
    hyperparameters: { ...hyperparameters, ...extra },
    scores: [],
    backTests: [],
    rung: 0,
    seconds: 0,
  });

  const chosen: Tried[] = [];
  for (const family of families) {
    // The two linear families want the same features.
    const ridge = family === "elastic_net" ? chosen.find((other) => other.family === "ridge") : undefined;
    const options = ridge ? [ridge.set] : family === "seasonal_naive" ? request.seasons.map(seasonSet) : sets;
    const candidates = options.map((set) => candidate(family, set));
    if (candidates.length > 1) await run(candidates, features, 1);
    chosen.push(family === "seasonal_naive" ? best(candidates, 0) : best(candidates, LAGS_MARGIN));
  }
  const contenders = chosen.filter(({ family }) => family !== "gradient_boosting");
  const trees = chosen.find(({ family }) => family === "gradient_boosting");
  if (trees) {
    const candidates = [
      trees,
      ...boosting.slice(1).map((extra) => candidate(trees.family, trees.set, extra)),
    ];
    if (candidates.length > 1) await run(candidates, settings, 2);
    const order = candidates.toSorted((a, b) => mean(a.scores) - mean(b.scores));
    contenders.push(...candidates.filter((one) => order.indexOf(one) < SETTINGS_KEPT));
  }
  // Of a series also the only one: its intervals are calibrated on what it said of other seasons.
  if (contenders.length > 1 || timestamp !== null) await run(contenders, last, 3);
  for (const one of contenders) if (!tried.includes(one)) tried.push(one);
  const finalists = families.map((family) =>
    best(
      contenders.filter((one) => one.family === family),
      MARGIN,
    ),
  );
  const winner = best(finalists, MARGIN);
  const naive = chosen.find(({ family, rung }) => family === "seasonal_naive" && rung === 3);
  return {
    tried,
    finalists: [winner, ...finalists.filter((one) => one !== winner)],
    naive: naive?.scores ?? (await naiveErrors(request, last)),
  };
}

/** How the naive forecast does where it is no candidate itself. */
async function naiveErrors(request: SearchRequest, { folds, budget }: Rung): Promise<number[]> {
  const { context, metric, hyperparameters, seasons } = request;
  const { data, known, target } = context;
  const bySeason: number[][] = [];
  for (const season of known ? seasons : []) {
    const spec = { family: "seasonal_naive", set: seasonSet(season), hyperparameters } as const;
    const errors: number[] = [];
    for (const fold of folds) errors.push((await backTest(context, spec, fold, budget, metric)).error);
    bySeason.push(errors);
  }
  const [first, ...others] = bySeason;
  if (first) return others.reduce((a, b) => (mean(b) < mean(a) ? b : a), first);
  return folds.map(({ train, test }) => {
    const actual = data.targets.subarray(test.from, Math.min(test.to, test.from + budget.rowsMax));
    const learned = numericValues(tableOf(selectColumns(data.table, [target]), train), target);
    return comparedError(metric, hyperparameters, actual, meanBaseline(learned, actual.length));
  });
}

/** The naive forecast as features: the one value that it repeats. */
function seasonSet(season: number): FeatureSet {
  return { name: season === 1 ? "last value" : `${season} steps before`, lags: [season], rolling: [] };
}

/** The least mean error; an earlier candidate stays unless it is beaten by the margin. */
function best(candidates: readonly Tried[], margin: number): Tried {
  return candidates.reduce((kept, next) =>
    mean(next.scores) < mean(kept.scores) * (1 - margin) ? next : kept,
  );
}

export function mean(scores: readonly number[]): number {
  return scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
}

/** Whoever sets one of them has chosen: none is searched beside it. What is to be minimised is no setting of these. */
function hasBoostingSettings(hyperparameters: Hyperparameters): boolean {
  return SEARCHED.some((name) => hyperparameters[name] !== undefined);
}

const cost = (family: Family, rung: Rung) => (family === "gradient_boosting" ? rung.budget.rounds : 60);

function plannedCost(
  { families, sets, seasons }: SearchRequest,
  rungs: readonly Rung[],
  settings: number,
): number {
  const [features, second, last] = rungs as [Rung, Rung, Rung];
  return families.reduce((sum, family) => {
    const options = family === "seasonal_naive" ? seasons.length : family === "elastic_net" ? 1 : sets.length;
    const first = options > 1 ? options * features.folds.length * cost(family, features) : 0;
    const count = family === "gradient_boosting" ? Math.min(settings, SETTINGS_KEPT) : 1;
    const middle =
      family === "gradient_boosting" && settings > 1
        ? settings * second.folds.length * cost(family, second)
        : 0;
    return sum + first + middle + count * last.folds.length * cost(family, last);
  }, 0);
}

function counter({ report }: SearchRequest, planned: number) {
  let done = 0;
  return ({ family, set }: Tried, rung: Rung) => {
    report(Math.min(1, done / Math.max(1, planned)), `Back-test: ${FAMILY_NAMES[family]}, ${set.name}`);
    done += cost(family, rung);
  };
}
