/**
 * State of a series method that observations update one by one. The state depends only on the method's parameters and
 * the observations so far. The same observations therefore always give the same forecasts.
 */
export type SeriesFilter = {
  /** Processes the next observation. NaN is a gap: the state advances by one step without new information. */
  update(value: number): void;
  /** Returns the expected values of the next steps. */
  forecast(steps: number): SeriesForecast;
  /** Returns the parameters with the current state as their start. */
  snapshot(): SeriesParameters;
};

/** Expected values, and the part of level and trend in each. The rest is the part of the season. */
export type SeriesForecast = { values: Float64Array; level: Float64Array };

/** Returns a forecast without a season. */
export function withoutSeason(values: Float64Array): SeriesForecast {
  return { values, level: values };
}

/** Parameters of a method with the state before its first observation, as plain data. */
type SeriesParameters = { method: string };

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
