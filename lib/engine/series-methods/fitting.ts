/** Maps a real number to a value in `low … high`; the inverse of `logit`. */
export function between(low: number, high: number, real: number): number {
  return low + (high - low) / (1 + Math.exp(-real));
}

/** Returns the real number that `between` maps to `value`. */
export function logit(low: number, high: number, value: number): number {
  const share = Math.min(1 - 1e-6, Math.max(1e-6, (value - low) / (high - low)));
  return Math.log(share / (1 - share));
}

/** Computes Akaike's information criterion with the correction for few observations (Hurvich and Tsai 1989). */
export function aicc(minusTwoLogLikelihood: number, parameters: number, observations: number): number {
  const rest = observations - parameters - 1;
  return rest > 0
    ? minusTwoLogLikelihood + 2 * parameters + (2 * parameters * (parameters + 1)) / rest
    : Number.POSITIVE_INFINITY;
}
