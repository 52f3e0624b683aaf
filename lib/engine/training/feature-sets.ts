import type { RollingRequest } from "#lib/engine/features/fit-pipeline";
import { seasonLengths } from "./seasonality.ts";

/** A choice of target lags and windows to try. */
export type FeatureSet = {
  name: string;
  lags: number[];
  rolling: RollingRequest[];
  /** What a linear model does without evidence: weights of lags that add up to 1. Absent: it predicts the mean. */
  prior?: { steps: number; weight: number }[];
};

export const INPUTS_ONLY: FeatureSet = { name: "inputs and calendar", lags: [], rolling: [] };

/**
 * What to try where nobody chose lags. `direct` looks back at least the horizon, so that every prediction up to it
 * rests on observations; `recursive` looks back one step and is fed its own predictions from the second on.
 * Sets that would need more history than a third of the training rows are left out.
 */
export function candidateFeatureSets(frequency: string, horizon: number, trainingRows: number): FeatureSet[] {
  const [season = 1, longSeason = season] = seasonLengths(frequency);
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
    lags: distinct([1, 2, season, longSeason <= Math.min(400, trainingRows / 4) ? longSeason : season]),
    rolling: [mean(Math.max(2, season), 1)],
    prior: [{ steps: 1, weight: 1 }],
  };
  const seasonal: FeatureSet = {
    name: "seasonal lags",
    lags: distinct([
      1,
      2,
      season,
      season + 1,
      longSeason <= Math.min(400, trainingRows / 4) ? longSeason : season,
    ]),
    rolling: [mean(Math.max(2, season), 1)],
    prior: driftSet(season).prior!,
  };
  return [direct, recursive, ...(season > 1 ? [seasonal] : [])].filter(
    (set) => lookback(set) * 3 <= trainingRows,
  );
}

/** The naive forecast as features: the one value that it repeats. */
export function seasonSet(season: number): FeatureSet {
  return { name: season === 1 ? "last value" : `${season} steps before`, lags: [season], rolling: [] };
}

/** What the drift method continues: the last value, or the last season and how far the last value is off it. */
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

function lookback({ lags, rolling }: FeatureSet): number {
  return Math.max(0, ...lags, ...rolling.map(({ window, shift }) => window + shift - 1));
}

function distinct(values: number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
