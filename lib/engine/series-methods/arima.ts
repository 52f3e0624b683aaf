import {
  type ArimaFit,
  type ArimaOrder,
  type ArimaParameters,
  differences,
  fitOrder,
  varianceOf,
} from "./arima-order.ts";
import { filledGaps } from "./gaps.ts";
import { kalmanFilter } from "./kalman.ts";
import { needsDifferences } from "./kpss.ts";
import {
  type SeriesFilter,
  type SeriesMethod,
  shortSeason,
  withoutSeason,
  type Zod,
} from "./series-method.ts";
import { stl, stlWindows } from "./stl.ts";

const SEASON_MAX = 24;
const ORDER_MAX = { p: 5, q: 5, P: 2, Q: 2, total: 5 };
/** Minimum number of observations. */
const OBSERVATIONS_MIN = 6;
/** Maximum number of models in the search. */
const TRIES_MAX = 40;
/** Minimum seasonal strength for seasonal differences (Wang, Smith and Hyndman 2006). */
const STRENGTH_MIN = 0.64;
/** Maximum length and season of series that are searched by the exact likelihood. */
const EXACT_POINTS_MAX = 150;
const EXACT_SEASON_MAX = 4;
/** Maximum work of one evaluation of the exact likelihood: observations × the square of the state's length. */
const EXACT_WORK_MAX = 100_000;
/** Maximum work of the exact likelihood of the largest model, for a search that compares exact likelihoods. */
const SCORED_WORK_MAX = 500_000;

/**
 * Chooses and fits a seasonal ARIMA model by a stepwise search for the lowest AICc (Hyndman and Khandakar 2008). The
 * search maximises the exact likelihood of short series. Otherwise it fits by the conditional sum of squares, and
 * compares models by the exact likelihood unless that is slow.
 *
 * @param withGaps observations in order; NaN is a gap
 * @param season steps of a season; seasons over 24 steps are ignored
 * @returns null with too few observations
 */
export function fitArima(withGaps: Float64Array, season: number): ArimaFit | null {
  const values = filledGaps(withGaps);
  const steps = season <= SEASON_MAX && values.length >= 2 * season + 5 ? season : 1;
  const D = steps > 1 && seasonalStrength(values, steps) > STRENGTH_MIN ? 1 : 0;
  let differenced = D === 1 ? differences(values, steps) : values;
  let d = 0;
  while (d < 2 && !isConstant(differenced) && needsDifferences(differenced)) {
    differenced = differences(differenced, 1);
    d++;
  }
  if (values.length < OBSERVATIONS_MIN || differenced.length < 3) return null;
  const base = { d, D, steps };
  const mayHaveMean = d + D <= 1;
  if (isConstant(differenced)) {
    const order = { p: 0, q: 0, P: 0, Q: 0, ...base };
    return fitOrder(values, order, mayHaveMean);
  }
  const longest = Math.max(ORDER_MAX.p, ORDER_MAX.q + 1) + ORDER_MAX.P * steps;
  const exact = values.length <= EXACT_POINTS_MAX && steps <= EXACT_SEASON_MAX;
  const scored = exact || values.length * longest ** 2 <= SCORED_WORK_MAX;
  const tried = new Map<string, ArimaFit | null>();
  let best: { fit: ArimaFit; order: ArimaOrder; hasMean: boolean } | null = null;
  const attempt = (order: ArimaOrder, hasMean: boolean): boolean => {
    const { p, q, P, Q } = order;
    if (p < 0 || q < 0 || P < 0 || Q < 0) return false;
    if (p > ORDER_MAX.p || q > ORDER_MAX.q || P > ORDER_MAX.P || Q > ORDER_MAX.Q) return false;
    if (p + q + P + Q > ORDER_MAX.total || (steps === 1 && P + Q > 0)) return false;
    const name = [p, q, P, Q, hasMean].join();
    if (tried.has(name) || tried.size >= TRIES_MAX) return false;
    const fit = fitOrder(values, order, hasMean, { exact, scored });
    tried.set(name, fit);
    if (fit === null || !(fit.aicc < (best?.fit.aicc ?? Number.POSITIVE_INFINITY))) return false;
    best = { fit, order, hasMean };
    return true;
  };
  const seasonal = steps > 1 ? 1 : 0;
  attempt({ p: 2, q: 2, P: seasonal, Q: seasonal, ...base }, mayHaveMean);
  attempt({ p: 0, q: 0, P: 0, Q: 0, ...base }, mayHaveMean);
  attempt({ p: 1, q: 0, P: seasonal, Q: 0, ...base }, mayHaveMean);
  attempt({ p: 0, q: 1, P: 0, Q: seasonal, ...base }, mayHaveMean);
  if (mayHaveMean) attempt({ p: 0, q: 0, P: 0, Q: 0, ...base }, false);
  for (let improved = true; improved; ) {
    improved = false;
    const current: { order: ArimaOrder; hasMean: boolean } | null = best;
    if (current === null) break;
    const { order, hasMean } = current as { order: ArimaOrder; hasMean: boolean };
    for (const [p, q, P, Q] of NEIGHBOURS) {
      const next = { ...order, p: order.p + p, q: order.q + q, P: order.P + P, Q: order.Q + Q };
      if (attempt(next, hasMean)) improved = true;
      if (improved) break;
    }
    if (!improved && mayHaveMean && attempt(order, !hasMean)) improved = true;
  }
  if (best === null) return null;
  const { fit, order, hasMean } = best as { fit: ArimaFit; order: ArimaOrder; hasMean: boolean };
  const length = Math.max(order.p + order.P * steps, order.q + order.Q * steps + 1);
  if (exact || values.length * length ** 2 > EXACT_WORK_MAX) return fit;
  return fitOrder(values, order, hasMean, { exact: true }) ?? fit;
}

/** Changes of p, q, P and Q that the search tries, in the order of Hyndman and Khandakar. */
const NEIGHBOURS = [
  [0, 0, -1, 0],
  [0, 0, 0, -1],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
  [0, 0, -1, -1],
  [0, 0, 1, 1],
  [-1, 0, 0, 0],
  [0, -1, 0, 0],
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [-1, -1, 0, 0],
  [1, 1, 0, 0],
] as const;

function isConstant(values: Float64Array): boolean {
  const size = Math.max(...values.map(Math.abs));
  return values.every((value) => Math.abs(value - values[0]!) <= 1e-12 * size);
}

/** Returns the seasonal strength, 0 to 1: the season's share of the detrended series (Wang, Smith and Hyndman 2006). */
function seasonalStrength(values: Float64Array, steps: number): number {
  if (values.length < 2 * steps + 1) return 0;
  const { season, trend } = stl(values, steps, stlWindows(steps, 11));
  const remainder = values.map((value, i) => value - season[i]! - trend[i]!);
  const both = remainder.map((value, i) => value + season[i]!);
  const whole = varianceOf(both);
  return whole > 0 ? Math.max(0, 1 - varianceOf(remainder) / whole) : 0;
}

function isSeasonal({ order: { P, D, Q, steps } }: ArimaParameters): boolean {
  return steps > 1 && P + D + Q > 0;
}

/** Returns the mean over one season around each step; for the steps of the first half season, over the first season. */
function seasonMeans(values: Float64Array, season: number, steps: number): Float64Array {
  const means = new Float64Array(steps);
  let sum = 0;
  for (let i = 0; i < season; i++) sum += values[i]!;
  for (let step = 0, from = 0; step < steps; step++) {
    for (; from < step - (season >> 1); from++) sum += values[from + season]! - values[from]!;
    means[step] = sum / season;
  }
  return means;
}

/** Creates the filter of an ARIMA model: the Kalman filter on differenced values. */
export function arimaFilter(parameters: ArimaParameters): SeriesFilter {
  const { ar, ma, mean, differencing } = parameters;
  const kalman = kalmanFilter(ar, ma, parameters.state);
  /** The latest values, newest first: as many as differencing needs. */
  const past = [...parameters.past];
  const reach = differencing.length;
  /** Returns the value with this difference from the past. */
  const integrated = (difference: number, values: readonly number[]) => {
    let value = difference + mean;
    for (let i = 0; i < reach; i++) value += differencing[i]! * values[i]!;
    return value;
  };
  const push = (values: number[], value: number) => {
    values.unshift(value);
    if (values.length > reach) values.pop();
  };
  return {
    update(value) {
      if (past.length < reach) {
        // Differences start later. A gap repeats the previous value.
        if (!Number.isNaN(value) || past.length > 0) push(past, Number.isNaN(value) ? past[0]! : value);
        return;
      }
      const expected = integrated(kalman.expected(), past);
      kalman.update(value - expected);
      if (reach > 0) push(past, Number.isNaN(value) ? expected : value);
    },
    forecast(steps) {
      if (past.length < reach) return withoutSeason(new Float64Array(steps).fill(past[0] ?? Number.NaN));
      const latest = [...past];
      const season = isSeasonal(parameters) ? parameters.order.steps : 1;
      const values = kalman.forecast(steps + season - 1).map((difference) => {
        const value = integrated(difference, latest);
        push(latest, value);
        return value;
      });
      if (season === 1) return withoutSeason(values);
      return { values: values.subarray(0, steps), level: seasonMeans(values, season, steps) };
    },
    snapshot: () => ({ ...parameters, past: [...past], state: kalman.snapshot() }),
  };
}

function arimaSchema(zod: Zod) {
  const order = zod.number().int().min(0).max(100);
  // The filter needs the square of their number in memory.
  const coefficients = zod.array(zod.number()).max(200);
  return zod
    .strictObject({
      method: zod.literal("arima"),
      order: zod.strictObject({
        p: order,
        d: order,
        q: order,
        P: order,
        D: order,
        Q: order,
        steps: zod.number().int().min(1).max(100_000),
      }),
      ar: coefficients,
      ma: coefficients,
      mean: zod.number(),
      differencing: coefficients,
      past: coefficients,
      state: zod
        .strictObject({ mean: coefficients, variance: zod.array(zod.number()).max(40_401).nullable() })
        .nullable(),
    })
    .refine(({ ar, ma, state }) => {
      const size = Math.max(ar.length, ma.length + 1);
      if (state === null) return true;
      return state.mean.length === size && (state.variance === null || state.variance.length === size ** 2);
    }, "Use a state of the coefficients' size");
}

export const arimaMethod: SeriesMethod<ArimaParameters> = {
  name: "arima",
  work: 70_000,
  schema: arimaSchema,
  fit(values, seasons, like) {
    const fit = like && fitOrder(filledGaps(values), like.order, like.mean !== 0);
    return (fit ?? fitArima(values, shortSeason(seasons)))?.parameters ?? null;
  },
  start: arimaFilter,
  text({ order: { p, d, q, P, D, Q, steps } }) {
    const seasonal = steps > 1 ? `(${P},${D},${Q})[${steps}]` : "";
    return `ARIMA(${p},${d},${q})${seasonal}`;
  },
};
