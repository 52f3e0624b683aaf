import type { TrainModel } from "#lib/contract/train-model";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import { FAMILIES, FAMILY_METHODS, type Family, predictsClasses } from "#lib/engine/inference/learner";
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { isIntermittent } from "#lib/engine/series-methods/tsb";
import { candidateFeatureSets, type FeatureSet, hasLevel, INPUTS_ONLY } from "./feature-sets.ts";
import type { PreparedData } from "./prepare-data.ts";
import { SELECTION_POINTS_MIN } from "./short-series.ts";

/** Linear models take memory and time by the square of the columns: with more columns, `auto` does not try them. */
const LINEAR_INPUTS_MAX = 1_000;
/** Minimum length at which `auto` tries trees on a series without inputs. */
const TREES_POINTS_MIN = 2_000;

/** Returns the families to try for a target of classes. */
export function classFamilies(
  { algorithm = "auto", hyperparameters = {} }: TrainModel,
  { inputs }: PreparedData,
): Family[] {
  if (algorithm !== "auto") return [algorithm];
  if (hyperparameters.monotone !== undefined) return ["gradient_boosting"];
  const isTried = (family: Family) => family !== "ridge" || inputs.length <= LINEAR_INPUTS_MAX;
  return FAMILIES.filter((family) => predictsClasses(family) && isTried(family));
}

/** Returns whether a series gets the fixed procedure: it is short, and the caller has chosen nothing else. */
export function usesShortProcedure(
  { algorithm = "auto", features = {}, hyperparameters = {} }: TrainModel,
  { targets, order }: PreparedData,
): boolean {
  const chose = algorithm !== "auto" || Object.keys(hyperparameters).length > 0;
  return order === "time" && targets.length < SELECTION_POINTS_MIN && !chose && !choseLags(features);
}

function choseLags({ lags, rolling, differences }: NonNullable<TrainModel["features"]>): boolean {
  return [lags, rolling, differences].some((choice) => choice !== undefined);
}

/** Returns the families to try. @throws TrainingImpossible if the algorithm needs a series and the data has none */
export function requestedFamilies(
  { algorithm = "auto", features, hyperparameters = {} }: TrainModel,
  data: PreparedData,
  known: KnownSeries | null,
): readonly Family[] {
  const needsSeries = algorithm === "seasonal_naive" || algorithm === "drift" || algorithm in FAMILY_METHODS;
  if (needsSeries && !known) {
    throw new TrainingImpossible(
      `\`algorithm\` is \`${algorithm}\`, which needs a series, but ${noSeriesReason(data)}. Choose another algorithm.`,
    );
  }
  if (algorithm !== "auto") return [algorithm];
  const { loss = "squared", monotone, targetTransform } = hyperparameters;
  // Only boosting has these settings; another family would ignore them, even with a better score.
  const wantsTrees = loss !== "squared" || monotone !== undefined || targetTransform === "difference";
  if (wantsTrees) return ["gradient_boosting"];
  // Requested lags, windows or differences exclude naive forecasts and series methods.
  const series = known !== null && !choseLags(features ?? {});
  const mayIgnoreInputs = series && !(features?.inputs === true && data.inputs.length > 0);
  const linear = data.inputs.length <= LINEAR_INPUTS_MAX;
  const isTried: Record<Family, boolean> = {
    mean: known === null,
    seasonal_naive: mayIgnoreInputs,
    drift: mayIgnoreInputs,
    ridge: linear,
    elastic_net: linear,
    gradient_boosting: known === null || enoughForTrees(data),
    // Single methods are trained on request only.
    ets: false,
    theta: false,
    arima: false,
    stl_ets: false,
    tsb: mayIgnoreInputs && isIntermittent(data.targets),
    combination: series,
  };
  return FAMILIES.filter((family) => isTried[family]);
}

/** Trees cannot go beyond values that they have seen: on the past of a short series alone, they lose to linear models. */
function enoughForTrees({ inputs, targets }: PreparedData): boolean {
  return inputs.length > 0 || targets.length >= TREES_POINTS_MIN;
}

function noSeriesReason(data: PreparedData): string {
  return data.repeatedTimestamps
    ? "several rows share a timestamp"
    : "the rows have no timestamp at a regular frequency";
}

/**
 * Returns the feature sets to try.
 *
 * @throws TrainingImpossible if lags are requested and the data has no series, or if trees are to learn differences, and
 *   no set has the level to which they are taken
 */
export function requestedSets(
  request: TrainModel,
  data: PreparedData,
  known: KnownSeries | null,
  horizon: number | null,
): FeatureSet[] {
  const sets = setsFor(request, data, known, horizon);
  if (request.hyperparameters?.targetTransform !== "difference" || sets.some(hasLevel)) return sets;
  throw new TrainingImpossible(
    "`hyperparameters.targetTransform` is `difference`, and there is no window of the mean. Add one to `features.rolling`. Windows need timestamps at a regular frequency and three times as many rows as they read back.",
  );
}

function setsFor(
  { features }: TrainModel,
  data: PreparedData,
  known: KnownSeries | null,
  horizon: number | null,
): FeatureSet[] {
  const { lags, rolling, differences } = features ?? {};
  const wanted = (lags?.length ?? 0) + (rolling?.length ?? 0) > 0;
  if ((wanted || differences?.length) && !known) {
    throw new TrainingImpossible(`Lags of the target cannot be used: ${noSeriesReason(data)}.`);
  }
  if (lags !== undefined || rolling !== undefined) {
    return [wanted ? { name: "chosen lags", lags: lags ?? [], rolling: rolling ?? [] } : INPUTS_ONLY];
  }
  if (!known || !data.grid || horizon === null) return [INPUTS_ONLY];
  const sets = candidateFeatureSets(data.grid.frequency, horizon, data.trainingRows);
  // Without inputs, a model that does not look back cannot follow a moving level.
  return data.inputs.length > 0 || sets.length === 0 ? [INPUTS_ONLY, ...sets] : sets;
}
