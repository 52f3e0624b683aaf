import { INTERVAL_LEVEL, type IntervalShape } from "#lib/contract/interval-shape";
import type { LevelBounds } from "#lib/contract/intervals";
import { wireNumbers } from "#lib/engine/series/summary";
import { boundsAtLevel } from "./shape.ts";

/** Predictions with their bounds at 90%. Without a shape, `levelBounds` returns no level. */
export type PredictionsWithBounds = {
  predictions: Float64Array;
  lower: Float64Array | null;
  upper: Float64Array | null;
  /** Least value of each row of a scenario with overrides. */
  floors?: Float64Array | undefined;
  shape: IntervalShape | null;
};

/** Returns the bounds at each wanted level, in ascending order. Returns none without bounds or a shape. */
export function levelBounds(
  levels: readonly number[],
  { predictions, lower, upper, floors, shape }: PredictionsWithBounds,
): { level: number; lower: Float64Array; upper: Float64Array }[] {
  if (lower === null || upper === null || shape === null) return [];
  return shape.ratios
    .filter(({ level }) => levels.includes(level))
    .map(({ level, ratio }) =>
      level === INTERVAL_LEVEL
        ? { level, lower, upper }
        : { level, ...boundsAtLevel(predictions, upper, { floor: shape.floor, ratio, floors }) },
    );
}

/** Converts the bounds of `levelBounds` for the API. */
export function presentLevels(levels: readonly number[], predicted: PredictionsWithBounds): LevelBounds[] {
  return levelBounds(levels, predicted).map(({ level, lower, upper }) => ({
    level,
    lower: wireNumbers(lower),
    upper: wireNumbers(upper),
  }));
}
