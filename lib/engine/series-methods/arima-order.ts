import { aicc } from "./fitting.ts";
import type { KalmanState } from "./kalman.ts";
import { kalmanFilter } from "./kalman.ts";
import { minimize } from "./minimize.ts";
import { areInvertible, areStationary, product, times } from "./polynomials.ts";

/** Orders of a seasonal ARIMA model; `steps` is the season, 1 for none. */
export type ArimaOrder = { p: number; d: number; q: number; P: number; D: number; Q: number; steps: number };

/** A seasonal ARIMA model with the state before its first observation. */
export type ArimaParameters = {
  method: "arima";
  order: ArimaOrder;
  /** Coefficients of past differenced values, from lag 1, with seasonal factors multiplied out. */
  ar: number[];
  /** The same of past errors. */
  ma: number[];
  /** Mean of the differenced values. */
  mean: number;
  /** Weights of earlier values, newest first, that are added to a difference to get the value. */
  differencing: number[];
  /** Latest values, newest first, that the next difference reads. */
  past: number[];
  /** Null before the first difference. */
  state: KalmanState | null;
};

export type ArimaFit = {
  parameters: ArimaParameters;
  /**
   * Autoregressive and moving average coefficients, their seasonal counterparts, and the mean of the differenced
   * values.
   */
  coefficients: { ar: number[]; ma: number[]; seasonalAr: number[]; seasonalMa: number[]; mean: number };
  aicc: number;
  logLikelihood: number;
  sigma2: number;
};

type ArimaOptions = {
  /** Maximises the exact likelihood instead of the conditional sum of squares; slow for long seasons. */
  exact?: boolean;
  /**
   * Reports the exact likelihood, also for a fit that minimised the conditional sum of squares. Conditional likelihoods
   * of models of different orders leave out different numbers of values, and cannot be compared on short series.
   */
  scored?: boolean;
};

/**
 * Fits a model of the given order. Returns null if there are too few observations, or if the model has roots at the unit
 * circle.
 */
export function fitOrder(
  values: Float64Array,
  order: ArimaOrder,
  hasMean: boolean,
  { exact = false, scored = exact }: ArimaOptions = {},
): ArimaFit | null {
  const { p, d, q, P, D, Q, steps } = order;
  let series = values;
  for (let i = 0; i < D; i++) series = differences(series, steps);
  for (let i = 0; i < d; i++) series = differences(series, 1);
  const count = series.length;
  const parameters = p + q + P + Q + (hasMean ? 1 : 0) + 1;
  if (count <= parameters + 1 || count <= p + P * steps + 1) return null;
  const centre = hasMean ? series.reduce((sum, value) => sum + value, 0) / count : 0;
  const scale = Math.sqrt(varianceOf(series)) || 1;
  const decode = (at: Float64Array) => {
    const take = (from: number, length: number) => Array.from(at.subarray(from, from + length));
    return {
      ar: take(0, p),
      ma: take(p, q),
      seasonalAr: take(p + q, P),
      seasonalMa: take(p + q + P, Q),
      mean: hasMean ? centre + scale * at[p + q + P + Q]! : 0,
    };
  };
  const polynomials = (c: ReturnType<typeof decode>) => ({
    ar: product(c.ar, c.seasonalAr, steps, -1),
    ma: product(c.ma, c.seasonalMa, steps, 1),
  });
  const evaluate = (at: Float64Array, isExact: boolean) => {
    const found = decode(at);
    if (!areStationary(found.ar, found.seasonalAr) || !areInvertible(found.ma, found.seasonalMa)) return null;
    const { ar, ma } = polynomials(found);
    const centred = series.map((value) => value - found.mean);
    return isExact ? exactErrors(centred, ar, ma) : conditionalErrors(centred, ar, ma);
  };
  const cost = (at: Float64Array) => {
    const found = evaluate(at, exact);
    return found === null
      ? Number.NaN
      : Math.log(Math.max(found.squares / found.count, 1e-300)) + found.logs / found.count;
  };
  const start = new Float64Array(parameters - 1);
  // Start away from 0, where autoregression and moving average would cancel.
  if (p > 0) start[0] = 0.1;
  if (P > 0) start[p + q] = 0.1;
  const found = minimize(cost, start, { iterations: 60, tolerance: 1e-7 });
  const errors = evaluate(found.at, scored);
  if (errors === null) return null;
  const coefficients = decode(found.at);
  const sigma2 = errors.squares / errors.count;
  // Models of other orders condition on other numbers of values: scale the likelihood to all values.
  const logLikelihood =
    -0.5 * count * (Math.log(2 * Math.PI * Math.max(sigma2, 1e-300)) + 1 + errors.logs / errors.count);
  const { ar, ma } = polynomials(coefficients);
  let weights = [1];
  for (let i = 0; i < d; i++) weights = times(weights, [1, -1]);
  for (let i = 0; i < D; i++) weights = times(weights, [1, ...new Array<number>(steps - 1).fill(0), -1]);
  return {
    coefficients,
    parameters: {
      method: "arima",
      order,
      ar,
      ma,
      mean: coefficients.mean,
      differencing: weights.slice(1).map((weight) => -weight),
      past: [],
      state: null,
    },
    aicc: aicc(-2 * logLikelihood, parameters, count),
    logLikelihood,
    sigma2,
  };
}

type Errors = { squares: number; logs: number; count: number };

/** Computes squared one-step errors from the value after the first p; earlier errors count as 0. */
function conditionalErrors(values: Float64Array, ar: readonly number[], ma: readonly number[]): Errors {
  const errors = new Float64Array(values.length);
  const [p, q] = [ar.length, ma.length];
  let squares = 0;
  for (let i = p; i < values.length; i++) {
    let error = values[i]!;
    for (let lag = 1; lag <= p; lag++) error -= ar[lag - 1]! * values[i - lag]!;
    const most = Math.min(q, i);
    for (let lag = 1; lag <= most; lag++) error -= ma[lag - 1]! * errors[i - lag]!;
    errors[i] = error;
    squares += error * error;
  }
  return { squares, logs: 0, count: values.length - p };
}

/** Computes the exact likelihood: squared errors in units of their variance, and the logarithms of the variances. */
function exactErrors(values: Float64Array, ar: readonly number[], ma: readonly number[]): Errors {
  const kalman = kalmanFilter(ar, ma, null);
  let [squares, logs] = [0, 0];
  for (const value of values) {
    const error = value - kalman.expected();
    const scale = kalman.update(error);
    squares += (error * error) / scale;
    logs += Math.log(scale);
  }
  return { squares, logs, count: values.length };
}

export function differences(values: Float64Array, lag: number): Float64Array {
  return values.subarray(lag).map((value, i) => value - values[i]!);
}

export function varianceOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
}
