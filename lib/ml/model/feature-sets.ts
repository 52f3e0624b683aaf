import type { RollingRequest } from "#lib/ml/features/fit-pipeline";
import { seasonLengths } from "./seasonality.ts";

/** A choice of target lags and windows to try. */
export type FeatureSet = { name: string; lags: number[]; rolling: RollingRequest[] };

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
  };
  const recursive: FeatureSet = {
    name: "recursive lags",
    lags: distinct([1, 2, season, longSeason <= Math.min(400, trainingRows / 4) ? longSeason : season]),
    rolling: [mean(Math.max(2, season), 1)],
  };
  return [INPUTS_ONLY, direct, recursive].filter((set) => lookback(set) * 3 <= trainingRows);
}

function lookback({ lags, rolling }: FeatureSet): number {
  return Math.max(0, ...lags, ...rolling.map(({ window, shift }) => window + shift - 1));
}

function distinct(values: number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
