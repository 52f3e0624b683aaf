import { algorithms } from "#lib/contract/algorithms";
import type { Hyperparameters } from "#lib/contract/hyperparameters";
import type { TrainModel } from "#lib/contract/train-model";
import type { InputLags } from "#lib/engine/features/fit-pipeline";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import { FAMILIES, type Family, ofMethods, predictsClasses } from "#lib/engine/inference/learner";
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { methodOf } from "#lib/engine/series-methods/methods";
import { requireColumn } from "#lib/engine/table/columns";
import {
  candidateFeatureSets,
  type FeatureSet,
  hasLevel,
  INPUTS_ONLY,
  laggedInputs,
  PAST_AND_INPUTS,
} from "./feature-sets.ts";
import { SELECTION_POINTS_MIN } from "./fixed-procedure.ts";
import type { PreparedData } from "./prepare-data.ts";

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

/**
 * Returns whether the procedure is fixed, without selection: for a series without inputs, and for a short one, unless the
 * caller chose something else.
 */
export function usesFixedProcedure(
  { algorithm = "auto", features = {}, hyperparameters = {} }: TrainModel,
  { targets, order, inputs }: PreparedData,
  known: KnownSeries | null,
): boolean {
  if (order !== "time" || algorithm !== "auto" || choseLags(features) || features.inputLags) return false;
  if (known !== null && inputs.length === 0) return !wantsTrees(hyperparameters);
  return targets.length < SELECTION_POINTS_MIN && Object.keys(hyperparameters).length === 0;
}

/** Checks for settings that only boosting has; another family would ignore them, even with a better score. */
function wantsTrees({ loss = "squared", monotone, targetTransform }: Hyperparameters): boolean {
  return loss !== "squared" || monotone !== undefined || targetTransform === "difference";
}

function choseLags({ lags, rolling, differences }: NonNullable<TrainModel["features"]>): boolean {
  return [lags, rolling, differences].some((choice) => choice !== undefined);
}

/** Returns the families to try. @throws TrainingImpossible if the algorithm needs a series and the data has none */
export function requestedFamilies(
  { algorithm = "auto", features, hyperparameters = {}, expectedEffects = {} }: TrainModel,
  data: PreparedData,
  known: KnownSeries | null,
): readonly Family[] {
  if (algorithm !== "auto" && ["naive", "series"].includes(algorithms[algorithm].kind) && !known) {
    throw new TrainingImpossible(
      `\`algorithm\` is \`${algorithm}\`, which needs a series, but ${noSeriesReason(data)}. Choose another algorithm.`,
    );
  }
  if (algorithm !== "auto" && algorithm !== "blend") return [algorithm];
  if (wantsTrees(hyperparameters)) return ["gradient_boosting"];
  // Requested lags, windows or differences exclude naive forecasts and series methods.
  const series = known !== null && !choseLags(features ?? {});
  const mayIgnoreInputs = series && !(features?.inputs === true && data.inputs.length > 0);
  const linear = data.inputs.length <= LINEAR_INPUTS_MAX;
  // A single method is tried only if it is made for the target.
  const isTried: Partial<Record<Family, boolean | undefined>> = {
    mean: known === null,
    seasonal_naive: mayIgnoreInputs,
    drift: mayIgnoreInputs,
    ridge: linear,
    // In a blend for a series it is hardly different from ridge, and takes longer than all others together. It keeps no signs.
    elastic_net: linear && !(series && data.inputs.length > 0) && Object.keys(expectedEffects).length === 0,
    gradient_boosting: known === null || enoughForTrees(data),
    ...ofMethods((method) => mayIgnoreInputs && methodOf(method).suits?.(data.targets)),
    combination: series,
    // Made of the others.
    blend: false,
  };
  return FAMILIES.filter((family) => isTried[family]);
}

/** Returns whether families that use the inputs are blended: unless the request names one, or settings of one. */
export function blendsFamilies(
  { algorithm = "auto" }: TrainModel,
  { inputs }: PreparedData,
  families: readonly Family[],
): boolean {
  if (algorithm === "blend") return true;
  return algorithm === "auto" && inputs.length > 0 && families.length > 1;
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

/** Earlier inputs that are tried unless the caller chose: effects that come within a week of steps, and effects that fade. */
const INPUT_LAGS: readonly InputLags[] = [
  { steps: 2 },
  { steps: 7 },
  { steps: 0, decay: 0.5 },
  { steps: 0, decay: 0.8 },
];
/** Minimum number of rows for each coefficient of a lagged input. */
const ROWS_OF_LAG = 10;

/** Returns the sets to try in a regression under series methods: without earlier inputs first. */
export function regressionSets(
  { features }: TrainModel,
  { table, inputs, trainingRows }: PreparedData,
): FeatureSet[] {
  if (features?.inputLags) return [laggedInputs(features.inputLags)];
  const isNumeric = (name: string) => ["number", "boolean"].includes(requireColumn(table, name).type);
  const numbers = inputs.filter(isNumeric).length;
  const fits = ({ steps }: InputLags) => (steps + 2) * numbers * ROWS_OF_LAG <= trainingRows;
  return [PAST_AND_INPUTS, ...(numbers === 0 ? [] : INPUT_LAGS.filter(fits).map(laggedInputs))];
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
  const hasTargetSteps = (lags?.length ?? 0) + (rolling?.length ?? 0) > 0;
  if ((hasTargetSteps || differences?.length) && !known) {
    throw new TrainingImpossible(`Lags of the target cannot be used: ${noSeriesReason(data)}.`);
  }
  if (lags !== undefined || rolling !== undefined) {
    return [hasTargetSteps ? { name: "chosen lags", lags: lags ?? [], rolling: rolling ?? [] } : INPUTS_ONLY];
  }
  if (!known || !data.grid || horizon === null) return [INPUTS_ONLY];
  const sets = candidateFeatureSets(data.grid.frequency, horizon, data.trainingRows);
  // Without inputs, a model that does not look back cannot follow a moving level.
  return data.inputs.length > 0 || sets.length === 0 ? [INPUTS_ONLY, ...sets] : sets;
}
