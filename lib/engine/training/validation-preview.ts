import { limits } from "#lib/contract/limits";
import type { DroppedRow } from "./candidate.ts";

/** Actual and predicted values of at most 1,000 evenly spaced validation rows, for a chart. */
export type ValidationPreview = {
  /** ISO 8601; null without a timestamp. */
  timestamps: string[] | null;
  /** Row of the training data, from 1. */
  rows: number[];
  actual: number[];
  /** Null for a row without a prediction, because training left it out. */
  predicted: (number | null)[];
  /** Actual minus predicted. */
  residuals: (number | null)[];
  /** Rows whose actual values training treated as gaps. Absent without any. */
  treated?: number[];
};

/** More rows than this are hardly exceptions. */
const TREATED_MAX = 100;

/**
 * Selects the preview. `rowNumbers`, `actual`, `predicted` and `times` (epoch milliseconds) hold one value per
 * validation row.
 *
 * @param treated rows whose values training treated as gaps; the preview has all of them that lie among the validation rows
 */
export function validationPreview(
  rowNumbers: Int32Array,
  actual: Float64Array,
  predicted: Float64Array,
  times: Float64Array | null,
  treated: readonly DroppedRow[] = [],
): ValidationPreview {
  const marked = treated.filter(({ time }) => time >= (times?.[0] ?? Number.NaN)).slice(0, TREATED_MAX);
  const numbers = new Set(marked.map(({ number }) => number));
  const count = Math.min(limits.validationPoints - marked.length, actual.length);
  const points = Array.from({ length: count }, (_, i) => Math.floor((i * actual.length) / count))
    .filter((row) => !numbers.has(rowNumbers[row]!))
    .map((row) => ({
      number: rowNumbers[row]!,
      value: actual[row]!,
      time: times === null ? 0 : times[row]!,
      guess: predicted[row] as number | null,
    }));
  for (const one of marked) {
    const row = rowNumbers.indexOf(one.number);
    points.push({ ...one, guess: row === -1 ? null : predicted[row]! });
  }
  if (marked.length > 0) points.sort((a, b) => a.time - b.time);
  return {
    timestamps: times && points.map(({ time }) => new Date(time).toISOString()),
    rows: points.map(({ number }) => number),
    actual: points.map(({ value }) => value),
    predicted: points.map(({ guess }) => guess),
    residuals: points.map(({ value, guess }) => (guess === null ? null : value - guess)),
    ...(marked.length > 0 && { treated: [...numbers].sort((a, b) => a - b) }),
  };
}
