import type { Hyperparameters } from "#lib/contract/hyperparameters";
import type { TargetMetric } from "#lib/contract/models";
import { FAMILY_METHODS, type Family, modelNameOf } from "#lib/engine/inference/learner";
import type { RowOrder } from "#lib/engine/learners/linear-design";
import { methodOf } from "#lib/engine/series-methods/methods";
import { backTest } from "./back-test.ts";
import { blend, chooseScale, MEANS, predictMeans } from "./blend.ts";
import type { CandidateContext, CandidateSpec } from "./candidate.ts";
import {
  chooseFamily,
  chooseSet,
  chooseSettings,
  isNaive,
  meanError,
  type Scored,
  unlessClear,
  usesInputs,
} from "./choose-candidate.ts";
import { driftSet, type FeatureSet, hasLevel, INPUTS_ONLY, PAST_ONLY, seasonSet } from "./feature-sets.ts";
import { type Fold, rollingFolds, shuffledFolds } from "./folds.ts";
import { planSearch, type Rung, SETTINGS_KEPT } from "./search-plan.ts";
import { type Tried, untried } from "./tried.ts";

type Search = {
  tried: Tried[];
  /** The best of each family; the best of all first. */
  finalists: Tried[];
  /** The naive forecast by fold: of the best season or, without a series, the mean. */
  naive: Scored;
};

/** Returns the result of a search with only one candidate, which is not back-tested. */
export function withoutSelection(spec: CandidateSpec): Search {
  const only = untried(spec);
  return { tried: [only], finalists: [only], naive: { scores: [], learned: [] } };
}

type SearchRequest = {
  context: CandidateContext;
  families: readonly Family[];
  sets: readonly FeatureSet[];
  /** Sets of a regression under series methods. */
  regressionSets: readonly FeatureSet[];
  /** Seasons that the naive forecast may repeat, in steps. */
  seasons: readonly number[];
  hyperparameters: Hyperparameters;
  /** True: no series method ignores the inputs. */
  requiresInputs: boolean;
  /** Whether families that use the inputs are tried on logarithms too, and blended. */
  blends: boolean;
  metric: TargetMetric;
  report: (fraction: number, message: string) => void;
};

const SEARCHED = ["rounds", "maxLeaves", "learningRate", "minLeaf", "l2", "subsample", "colsample"] as const;

/**
 * Runs successive halving (Jamieson and Talwalkar 2016) over families, target lags and boosting settings, on back-tests
 * inside the training rows. The first rung compares the lags of each family, the second the settings of boosting on the
 * best lags, the third the best candidates of all families on every fold.
 */
export async function searchCandidates(request: SearchRequest): Promise<Search> {
  const { context, families, sets, seasons, hyperparameters } = request;
  const { data } = context;
  const folds = foldsOf(context, seasons);
  const plan = planSearch(folds, {
    rows: data.trainingRows,
    columns: data.inputs.length + 6,
    sets: sets.length,
    order: data.order,
  });
  const [features, settings, last] = plan.rungs;
  const searched = families.includes("gradient_boosting") && !hasBoostingSettings(hyperparameters);
  const boosting = searched ? plan.boostingSettings : [{}];

  const tried: Tried[] = [];
  const progress = counter(request, plannedCost(request, plan.rungs, boosting.length + (searched ? 1 : 0)));
  const run = async (candidates: readonly Tried[], rung: Rung, number: number) => {
    for (const candidate of candidates) {
      if (!tried.includes(candidate)) tried.push(candidate);
      const started = performance.now();
      candidate.scores = [];
      candidate.learned = rung.folds.map(learnedRows);
      candidate.backTests = [];
      candidate.rung = number;
      for (const fold of rung.folds) {
        progress(candidate, rung);
        const { error, rows } = await backTest(context, candidate, fold, rung.budget, request.metric);
        candidate.scores.push(error);
        if (rows) candidate.backTests.push(rows);
      }
      if (candidate.logs && MEANS.has(request.metric)) predictMeans(candidate, request.metric);
      candidate.seconds += (performance.now() - started) / 1000;
    }
  };
  const candidate = (family: Family, set: FeatureSet, extra: Hyperparameters = {}) =>
    untried({ family, set, hyperparameters: { ...hyperparameters, ...extra } });

  const chosen: Tried[] = [];
  for (const family of families) {
    const candidates = setsOf(family, request, chosen).map((set) => candidate(family, set));
    if (candidates.length > 1) await run(candidates, features, 1);
    chosen.push(chooseSet(family, candidates));
  }
  const trees = chosen.find(({ family }) => family === "gradient_boosting");
  const contenders = chosen.filter((one) => one !== trees);
  if (request.blends && context.ofLogs) {
    for (const one of chosen.filter(usesInputs)) {
      const sets =
        one === trees || FAMILY_METHODS[one.family]
          ? [one.set]
          : setsOf(
              one.family,
              request,
              contenders.filter(({ logs }) => logs),
            ).filter((set) => usesInputs({ ...one, set }));
      const candidates = sets.map((set) => ({ ...candidate(one.family, set), logs: true }));
      if (candidates.length > 1) await run(candidates, features, 1);
      contenders.push(chooseSet(one.family, candidates));
    }
  }
  if (trees) {
    const candidates = [
      trees,
      ...boosting.slice(1).map((extra) => candidate(trees.family, trees.set, extra)),
      ...(searched && mayTransform(trees, data.order)
        ? [candidate(trees.family, trees.set, { targetTransform: "difference" })]
        : []),
    ];
    if (candidates.length > 1) await run(candidates, settings, 2);
    // The default settings always reach the last rung, because they stay unless clearly beaten.
    const others = candidates.slice(1).toSorted((a, b) => meanError(a) - meanError(b));
    contenders.push(trees, ...others.slice(0, SETTINGS_KEPT - 1));
  }
  // In time order, a single contender runs too: its back-tests can calibrate its intervals.
  if (contenders.length > 1 || data.order === "time") await run(contenders, last, 3);
  for (const one of contenders) if (!tried.includes(one)) tried.push(one);
  const finalistsOf = (some: readonly Tried[]) =>
    families.flatMap((family) => {
      const own = some.filter((one) => one.family === family);
      return own.length > 0 ? [chooseSettings(own, data.order)] : [];
    });
  const naive = chosen.find(({ family, rung }) => isNaive(family) && rung === 3);
  const finalists = finalistsOf(chooseScale(contenders));
  if (request.blends) {
    const using = finalists.filter((one) => usesInputs(one) && Number.isFinite(meanError(one)));
    const forecasts =
      data.order === "time" ? originsOf(last.folds, context.horizon) : Number.POSITIVE_INFINITY;
    const blended = using.length > 0 ? blend(using, forecasts, request.metric) : null;
    if (blended?.parts) tried.push(blended);
    const others = finalists.filter((one) => !usesInputs(one));
    const ignoring = others.length > 0 ? chooseFamily(others, naive, false) : null;
    const winner =
      blended && ignoring ? unlessClear(blended, ignoring) : (blended ?? ignoring ?? finalists[0]!);
    return {
      tried,
      finalists: [...new Set([winner, ...(blended ? [blended] : []), ...finalists])],
      naive: naive ?? (await naiveErrors(request, last)),
    };
  }
  const winner = chooseFamily(finalists, naive, data.inputs.length > 0);
  return {
    tried,
    finalists: [winner, ...finalists.filter((one) => one !== winner)],
    naive: naive ?? (await naiveErrors(request, last)),
  };
}

/** Returns back-tests inside the training rows. A season that occurs four times occurs twice before the first origin. */
function foldsOf({ data, horizon }: CandidateContext, seasons: readonly number[]): Fold[] {
  const { trainingRows, order } = data;
  if (order === "random") return shuffledFolds(trainingRows);
  const longest = seasons.reduce(
    (most, season) => (season * 4 <= trainingRows ? Math.max(most, season) : most),
    1,
  );
  return rollingFolds(trainingRows, horizon, 2 * longest + 2);
}

/** Returns the number of forecasts of one horizon that the test rows of the folds hold without overlap. */
function originsOf(folds: readonly Fold[], horizon: number | null): number {
  const rows = folds.at(-1)!.test.to - folds[0]!.test.from;
  return rows / (horizon ?? 1);
}

/** Returns the feature sets that a family tries, the simplest first. */
function setsOf(
  family: Family,
  { context, seasons, sets, regressionSets, requiresInputs, hyperparameters }: SearchRequest,
  chosen: readonly Tried[],
): readonly FeatureSet[] {
  if (family === "mean") return [INPUTS_ONLY];
  const methods = FAMILY_METHODS[family];
  if (methods) {
    const isForTarget = methods.every((method) => methodOf(method).suits);
    if (isForTarget || context.data.inputs.length === 0) return [PAST_ONLY];
    return requiresInputs ? regressionSets : [...regressionSets, PAST_ONLY];
  }
  if (family === "seasonal_naive") return seasons.map(seasonSet);
  if (family === "drift") return seasons.map(driftSet);
  if (family === "gradient_boosting" && hyperparameters.targetTransform === "difference") {
    return sets.filter(hasLevel);
  }
  // Both linear families use the same features.
  const ridge = family === "elastic_net" ? chosen.find((other) => other.family === "ridge") : undefined;
  return ridge ? [ridge.set] : sets;
}

/** Back-tests the naive forecast if it is not a candidate. */
async function naiveErrors(request: SearchRequest, { folds, budget }: Rung): Promise<Scored> {
  const { context, metric, hyperparameters, seasons } = request;
  const specs: CandidateSpec[] = context.known
    ? seasons.map((season) => ({ family: "seasonal_naive", set: seasonSet(season), hyperparameters }))
    : [{ family: "mean", set: INPUTS_ONLY, hyperparameters }];
  const bySpec: Scored[] = [];
  for (const spec of specs) {
    const scores: number[] = [];
    for (const fold of folds) scores.push((await backTest(context, spec, fold, budget, metric)).error);
    bySpec.push({ scores, learned: folds.map(learnedRows) });
  }
  return bySpec.reduce((a, b) => (meanError(b) < meanError(a) ? b : a));
}

function learnedRows({ train }: Fold): number {
  return train.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Checks whether trees may learn differences to a recent level: with a window of the mean, and unless the caller chose. */
function mayTransform({ set, hyperparameters }: CandidateSpec, order: RowOrder): boolean {
  const { targetTransform, loss } = hyperparameters;
  return order === "time" && hasLevel(set) && targetTransform === undefined && loss !== "poisson";
}

/** Checks whether the caller set a boosting setting; then no other settings are searched. The loss does not count. */
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

function counter({ report, context }: SearchRequest, planned: number) {
  let done = 0;
  return ({ family, set }: Tried, rung: Rung) => {
    report(
      Math.min(1, done / Math.max(1, planned)),
      `Back-test: ${modelNameOf({ family, set }, context.classes)}, ${set.name}`,
    );
    done += cost(family, rung);
  };
}
