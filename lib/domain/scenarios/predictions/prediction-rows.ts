import type { PredictionRow } from "#lib/contract/scenario-series";
import { wireNumber } from "#lib/engine/series/summary";
import type { StoredSeries } from "./read-predictions.ts";

/** Predictions as rows, numbered from `firstRow` (from 1). */
export function predictionRows(series: StoredSeries, firstRow: number): PredictionRow[] {
  const { timestamps, prediction, lower, upper } = series;
  return Array.from(prediction, (value, index) => ({
    row: firstRow + index,
    timestamp: instant(timestamps?.[index]),
    prediction: wireNumber(value),
    lower: wireNumber(lower?.[index] ?? Number.NaN),
    upper: wireNumber(upper?.[index] ?? Number.NaN),
  }));
}

function instant(ms: number | undefined): string | null {
  return ms === undefined || Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
