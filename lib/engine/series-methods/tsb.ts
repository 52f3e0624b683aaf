import { between, logit } from "./fitting.ts";
import { minimize } from "./minimize.ts";
import { partSchema, type SeriesFilter, type SeriesMethod, withoutSeason } from "./series-method.ts";

/** The method of Teunter, Syntetos and Babai for demand with many zeros, with the state before its first observation. */
export type TsbParameters = {
  method: "tsb";
  /** Smoothing rate of the size of a demand. */
  alpha: number;
  /** Smoothing rate of the probability of a demand. */
  beta: number;
  size: number;
  probability: number;
};

const RATE = [0.01, 0.5] as const;
/** Fraction of zeros from which a series counts as intermittent. */
const ZEROS_MIN = 0.3;
const DEMANDS_MIN = 3;

/** Returns whether demand is intermittent: never negative, and often 0. */
export function isIntermittent(values: Float64Array): boolean {
  let [zeros, demands, count] = [0, 0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (value < 0) return false;
    count++;
    if (value === 0) zeros++;
    else demands++;
  }
  return demands >= DEMANDS_MIN && zeros >= ZEROS_MIN * count;
}

/**
 * Fits the size of a demand and its probability, each by exponential smoothing, by least squares (Teunter, Syntetos and
 * Babai 2011). The forecast is their product: the mean demand.
 *
 * @param values demands in order; NaN is a gap
 * @returns null unless demand is intermittent
 */
export function fitTsb(values: Float64Array): TsbParameters | null {
  if (!isIntermittent(values)) return null;
  const known = values.filter((value) => !Number.isNaN(value));
  const demands = known.filter((value) => value > 0);
  const size = demands.reduce((sum, value) => sum + value, 0) / demands.length;
  const probability = demands.length / known.length;
  const decode = (at: Float64Array): TsbParameters => ({
    method: "tsb",
    size,
    probability,
    alpha: between(...RATE, at[0]!),
    beta: between(...RATE, at[1]!),
  });
  const cost = (at: Float64Array) => {
    const filter = tsbFilter(decode(at));
    let sum = 0;
    for (const value of values) {
      const error = value - filter.forecast(1).values[0]!;
      if (!Number.isNaN(error)) sum += (error / size) ** 2;
      filter.update(value);
    }
    return sum;
  };
  return decode(minimize(cost, Float64Array.of(logit(...RATE, 0.1), logit(...RATE, 0.1))).at);
}

/** Creates the filter of TSB, before its first observation. */
export function tsbFilter(parameters: TsbParameters): SeriesFilter {
  const { alpha, beta } = parameters;
  let { size, probability } = parameters;
  return {
    update(value) {
      if (Number.isNaN(value)) return;
      if (value > 0) size += alpha * (value - size);
      probability += beta * ((value > 0 ? 1 : 0) - probability);
    },
    forecast: (steps) => withoutSeason(new Float64Array(steps).fill(size * probability)),
    snapshot: () => ({ ...parameters, size, probability }),
  };
}

export const tsbMethod: SeriesMethod<TsbParameters> = {
  name: "tsb",
  work: 3_000,
  schema: (zod) =>
    zod.strictObject({
      method: zod.literal("tsb"),
      alpha: partSchema(zod),
      beta: partSchema(zod),
      size: zod.number(),
      probability: partSchema(zod),
    }),
  suits: isIntermittent,
  needs: "demand with zeros",
  fit: (values) => fitTsb(values),
  start: tsbFilter,
  text: () => "TSB",
};
