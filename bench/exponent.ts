/** Returns the power of the size by which the values grow: the least-squares slope of their logarithms. */
export function exponent(points: readonly { size: number; value: number }[]): number {
  const xs = points.map(({ size }) => Math.log(size));
  const ys = points.map(({ value }) => Math.log(value));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(xs), mean(ys)];
  const spread = xs.reduce((sum, value) => sum + (value - x) ** 2, 0);
  return xs.reduce((sum, value, i) => sum + (value - x) * (ys[i]! - y), 0) / spread;
}
