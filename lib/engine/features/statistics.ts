/** Copies the values that are present. NaN is missing. */
export function presentValues(values: Float64Array): Float64Array {
  return values.filter((value) => !Number.isNaN(value));
}

/** Returns the median of the values present, or 0. Never negative zero, which JSON cannot represent. */
export function median(values: Float64Array): number {
  const sorted = presentValues(values).sort();
  if (sorted.length === 0) return 0;
  const middle = sorted.length >> 1;
  return (sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2) + 0;
}

/** Returns the mean of the values present, or 0. */
export function mean(values: Float64Array): number {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
  }
  return count > 0 ? sum / count : 0;
}

/** Returns whether at least two distinct values occur. Missing values (NaN or code -1) count as one value. */
export function variesAmong(values: Float64Array | Int32Array): boolean {
  const first = values[0];
  return first !== undefined && values.some((value) => !Object.is(value, first));
}
