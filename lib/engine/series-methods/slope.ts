/**
 * Estimates the mean change per step as the difference between the means of the last and the first third (Bartlett 1949).
 * The estimate is nearly as good as the best one both for a line with noise and for a random walk. Both parts lie a whole
 * number of seasons apart, so a season that repeats does not count.
 *
 * @param values observations in order; NaN is a gap
 * @param season steps of the longest season; 1 for none
 * @returns 0 with too few observations
 */
export function slopeOf(values: Float64Array, season: number): number {
  const third = (2 * values.length) / 3;
  const apart = Math.floor(third / season) * season || Math.floor(third);
  if (apart === 0) return 0;
  const change = meanOf(values.subarray(apart)) - meanOf(values.subarray(0, values.length - apart));
  return Number.isFinite(change) ? change / apart : 0;
}

function meanOf(values: Float64Array): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/**
 * Estimates the standard deviation of independent noise around a smooth level, from second differences, whose variance is
 * six times that of the noise. The median ignores single jumps.
 */
export function noiseOf(values: Float64Array): number {
  const bends = values.subarray(2).map((value, i) => Math.abs(value - 2 * values[i + 1]! + values[i]!));
  return ((bends.sort()[bends.length >> 1] ?? 0) * 1.4826) / Math.sqrt(6);
}
