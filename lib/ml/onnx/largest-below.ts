/** The largest float32 below `x` rounded to float32: `v < x` and `v <= largestBelow(x)` agree for every float32 v. */
export function largestBelow(x: number): number {
  const value = Float32Array.of(x);
  if (value[0] === 0) return -(2 ** -149);
  const bits = new Int32Array(value.buffer);
  bits[0]! += value[0]! > 0 ? -1 : 1;
  return value[0]!;
}
