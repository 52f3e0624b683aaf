/** The values that are there (NaN is missing), copied. */
export function presentValues(values: Float64Array): Float64Array {
  return values.filter((value) => !Number.isNaN(value));
}

/** Median of the values that are there; 0 if none is. Never negative zero, which JSON would lose. */
export function median(values: Float64Array): number {
  const sorted = presentValues(values).sort();
  if (sorted.length === 0) return 0;
  const middle = sorted.length >> 1;
  return (sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2) + 0;
}

/** Mean of the values that are there; 0 if none is. */
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

/** Whether at least two different values are there; missing ones (NaN, or code -1) are a value of their own. */
export function variesAmong(values: Float64Array | Int32Array): boolean {
  const first = values[0];
  return first !== undefined && values.some((value) => !Object.is(value, first));
}
