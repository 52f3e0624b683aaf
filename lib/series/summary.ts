import { RunningSum } from "./sum.ts";

/** What a scenario's record says of its predictions; null where there are no values. */
export type SeriesSummary = {
  mean: number | null;
  min: number | null;
  max: number | null;
  sum: number | null;
  first: number | null;
  last: number | null;
};

/** NaN is no value; `first` and `last` are the first and last values that there are. */
export function summarize(values: Float64Array): SeriesSummary {
  const sum = new RunningSum();
  let count = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let first = Number.NaN;
  let last = Number.NaN;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    if (count++ === 0) first = value;
    last = value;
    if (value < min) min = value;
    if (value > max) max = value;
    sum.add(value);
  }
  return {
    mean: wireNumber(sum.value / count),
    min: wireNumber(min),
    max: wireNumber(max),
    sum: count === 0 ? null : wireNumber(sum.value),
    first: wireNumber(first),
    last: wireNumber(last),
  };
}

/** JSON has no NaN and no infinity: null. */
export function wireNumber(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** The values at these rows (all without `rows`), with null for NaN. */
export function wireNumbers(values: Float64Array, rows?: Int32Array): (number | null)[] {
  if (rows === undefined) return Array.from(values, wireNumber);
  return Array.from(rows, (row) => wireNumber(values[row]!));
}
