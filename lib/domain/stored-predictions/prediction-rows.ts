import type { IntervalShape } from "#lib/contract/interval-shape";
import type { PredictionRow } from "#lib/contract/scenario-series";
import type { EffectiveRows } from "#lib/domain/scenarios/panel/effective-series";
import { levelBounds } from "#lib/engine/intervals/levels";
import { wireNumber } from "#lib/engine/series/summary";

type RowLevels = { levels?: readonly number[] | undefined; shape: IntervalShape | null };

/** Number of a row, and the fields of its series columns. */
type RowPlace = { row: number; series?: Record<string, string> };

/**
 * Converts predictions to rows of the API.
 *
 * @param placeOf returns the place of the row with this index, from 0
 */
export function predictionRows(
  series: EffectiveRows,
  { levels = [], shape }: RowLevels,
  placeOf: (index: number) => RowPlace,
): PredictionRow[] {
  const { timestamps, prediction, lower, upper, floors, calculated, overrideIds } = series;
  const others = levelBounds(levels, { predictions: prediction, lower, upper, floors, shape });
  return Array.from(prediction, (value, index) => {
    const { row, series: columns } = placeOf(index);
    return {
      row,
      timestamp: instant(timestamps?.[index]),
      ...columns,
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
      ...(calculated && {
        calculated: wireNumber(calculated[index]!),
        overrideId: overrideIds?.[index] ?? null,
      }),
    };
  });
}

function instant(ms: number | undefined): string | null {
  return ms === undefined || Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
