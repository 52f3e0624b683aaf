/** Returns the values of the given rows, which must be as many as the values. */
export function sampled<T extends Float32Array | Float64Array>(values: T, rows: Int32Array): T {
  const drawn = values.slice() as T;
  for (let at = 0; at < rows.length; at++) drawn[at] = values[rows[at]!]!;
  return drawn;
}
