import { limits } from "#lib/contract/limits";

/** Actual and predicted values of at most 1,000 evenly spaced validation rows, for a chart. */
export type ValidationPreview = {
  /** ISO 8601; null without a timestamp. */
  timestamps: string[] | null;
  /** Row of the training data, from 1. */
  rows: number[];
  actual: number[];
  predicted: number[];
  /** Actual minus predicted. */
  residuals: number[];
};

/**
 * Selects the preview. `rowNumbers`, `actual`, `predicted` and `times` (epoch milliseconds) hold one value per
 * validation row.
 */
export function validationPreview(
  rowNumbers: Int32Array,
  actual: Float64Array,
  predicted: Float64Array,
  times: Float64Array | null,
): ValidationPreview {
  const count = Math.min(limits.validationPoints, actual.length);
  const rows = Array.from({ length: count }, (_, i) => Math.floor((i * actual.length) / count));
  return {
    timestamps: times ? rows.map((row) => new Date(times[row]!).toISOString()) : null,
    rows: rows.map((row) => rowNumbers[row]!),
    actual: rows.map((row) => actual[row]!),
    predicted: rows.map((row) => predicted[row]!),
    residuals: rows.map((row) => actual[row]! - predicted[row]!),
  };
}
