import type { InputLags, RollingRequest } from "#lib/engine/features/fit-pipeline";
import { seasonLengths } from "./seasonality.ts";

/** A set of target lags and windows to try. */
export type FeatureSet = {
  name: string;
  lags: number[];
  rolling: RollingRequest[];
  /** Lag weights, with sum 1, that a linear model is shrunk towards. Absent: it is shrunk towards the mean. */
  prior?: { steps: number; weight: number }[];
  /** For series methods: they forecast the target minus a regression on the inputs. */
  withInputs?: boolean;
  /** For such a regression: earlier values of the inputs that it reads. */
  inputLags?: InputLags;
};

/** Feature set of series methods on the target alone. */
export const PAST_ONLY: FeatureSet = { name: "target history", lags: [], rolling: [] };
/** Feature set of series methods on the target minus a regression on the inputs. */
export const PAST_AND_INPUTS: FeatureSet = {
  ...PAST_ONLY,
  name: "inputs and target history",
  withInputs: true,
};

/** Returns the set of a regression on earlier values of the inputs too. */
export function laggedInputs(inputLags: InputLags): FeatureSet {
  const { steps, decay } = inputLags;
  if (steps === 0 && decay === undefined) return PAST_AND_INPUTS;
  const lags = steps > 0 ? [`of ${steps} steps before`] : [];
  const means = decay === undefined ? [] : [`with a decay of ${decay}`];
  return {
    ...PAST_AND_INPUTS,
    name: `inputs, ${[...lags, ...means].join(", ")}, and target history`,
    inputLags,
  };
}

export const INPUTS_ONLY: FeatureSet = { name: "inputs and calendar", lags: [], rolling: [] };

/**
 * Returns the feature sets to try if the caller chose no lags. `direct` looks back at least the horizon, so that
 * every prediction up to the horizon uses observations. `recursive` looks back one step and reads its own predictions
 * from the second step. `seasonal` does so too, and is shrunk towards the drift method. Sets that need more history than
 * a third of the training rows are omitted.
 */
export function candidateFeatureSets(frequency: string, horizon: number, trainingRows: number): FeatureSet[] {
  const [season = 1, longSeason = season] = seasonLengths(frequency);
  const affordable = longSeason <= Math.min(400, trainingRows / 4) ? longSeason : season;
  const seasonsAhead = Math.ceil(horizon / season) * season;
  const mean = (window: number, shift: number): RollingRequest => ({ window, shift, statistic: "mean" });
  const direct: FeatureSet = {
    name: "direct lags",
    lags: distinct([horizon, seasonsAhead, seasonsAhead + season]),
    rolling: [mean(Math.max(2, season), horizon)],
    prior: [{ steps: seasonsAhead, weight: 1 }],
  };
  const recursive: FeatureSet = {
    name: "recursive lags",
    lags: distinct([1, 2, season, affordable]),
    rolling: [mean(Math.max(2, season), 1)],
    prior: [{ steps: 1, weight: 1 }],
  };
  const seasonal: FeatureSet = {
    name: "seasonal lags",
    lags: distinct([...recursive.lags, season + 1]),
    rolling: recursive.rolling,
    prior: driftSet(season).prior!,
  };
  return [direct, recursive, ...(season > 1 ? [seasonal] : [])].filter(
    (set) => lookback(set) * 3 <= trainingRows,
  );
}

/** Returns the naive forecast as features: the single value that it repeats. */
export function seasonSet(season: number): FeatureSet {
  return { name: season === 1 ? "last value" : `${season} steps before`, lags: [season], rolling: [] };
}

/** Returns the lags of the drift method: the last value, or the last season and the last value's deviation from it. */
export function driftSet(season: number): FeatureSet {
  return season === 1
    ? { name: "last value", lags: [1], rolling: [], prior: [{ steps: 1, weight: 1 }] }
    : {
        name: `season of ${season} steps`,
        lags: [1, season, season + 1],
        rolling: [],
        prior: [
          { steps: 1, weight: 0.6 },
          { steps: season, weight: 1 },
          { steps: season + 1, weight: -0.6 },
        ],
      };
}

/** Checks whether a set has a window of the mean, which gives the level that trees may learn differences to. */
export function hasLevel({ rolling }: FeatureSet): boolean {
  return rolling.some(({ statistic }) => statistic === "mean");
}

function lookback({ lags, rolling }: FeatureSet): number {
  return Math.max(0, ...lags, ...rolling.map(({ window, shift }) => window + shift - 1));
}

function distinct(values: number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
