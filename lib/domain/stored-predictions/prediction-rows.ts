import type { IntervalShape } from "#lib/contract/interval-shape";
import type { PredictionRow } from "#lib/contract/scenario-series";
import type { StoredSeries } from "#lib/domain/scenarios/chunks/read-predictions";
import { levelBounds } from "#lib/engine/intervals/levels";
import { wireNumber } from "#lib/engine/series/summary";

type RowOptions = {
  /** Number of the first row, counted from 1. */
  firstRow: number;
  levels?: readonly number[] | undefined;
  shape: IntervalShape | null;
};

/** Converts predictions to rows of the API. */
export function predictionRows(
  series: StoredSeries,
  { firstRow, levels = [], shape }: RowOptions,
): PredictionRow[] {
  const { timestamps, prediction, lower, upper } = series;
  const others = levelBounds(levels, { predictions: prediction, lower, upper, shape });
  return Array.from(prediction, (value, index) => ({
    row: firstRow + index,
    timestamp: instant(timestamps?.[index]),
    prediction: wireNumber(value),
    lower: wireNumber(lower?.[index] ?? Number.NaN),
    upper: wireNumber(upper?.[index] ?? Number.NaN),
    ...(levels.length > 0 && {
      levels: others.map((bounds) => ({
        level: bounds.level,
        lower: wireNumber(bounds.lower[index]!),
        upper: wireNumber(bounds.upper[index]!),
      })),
    }),
  }));
}

function instant(ms: number | undefined): string | null {
  return ms === undefined || Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
