import type { IntervalShape } from "#lib/contract/interval-shape";
import type { LevelBounds } from "#lib/contract/intervals";
import { wireNumbers } from "#lib/engine/series/summary";
import { boundsAtLevel } from "./shape.ts";

/** Predictions with their upper bounds at 90%. A null shape has no other levels. */
export type Shaped = {
  predictions: Float64Array;
  upper: Float64Array | null;
  shape: IntervalShape | null;
};

/** Computes the bounds of each level; no levels without intervals or their shape. */
export function levelBounds(
  levels: readonly number[],
  { predictions, upper, shape }: Shaped,
): { level: number; lower: Float64Array; upper: Float64Array }[] {
  if (upper === null || shape === null) return [];
  return shape.ratios
    .filter(({ level }) => levels.includes(level))
    .map(({ level, ratio }) => ({
      level,
      ...boundsAtLevel(predictions, upper, { floor: shape.floor, ratio }),
    }));
}

/** Converts the bounds of `levelBounds` for the API. */
export function presentLevels(levels: readonly number[], shaped: Shaped): LevelBounds[] {
  return levelBounds(levels, shaped).map(({ level, lower, upper }) => ({
    level,
    lower: wireNumbers(lower),
    upper: wireNumbers(upper),
  }));
}
