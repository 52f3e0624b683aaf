import { between, logit } from "./fitting.ts";
import { filledGaps } from "./gaps.ts";
import { minimize } from "./minimize.ts";
import { classicalSeason, hasSeason, type Season, seasonFilter, seasonSchema } from "./season.ts";
import { partSchema, type SeriesFilter, type SeriesMethod, withoutSeason } from "./series-method.ts";

/** The dynamic optimised Theta model, with the state before its first observation. */
export type ThetaParameters = {
  method: "theta";
  alpha: number;
  theta: number;
  level: number;
  /** Number of observations, their mean, and the line through them: intercept and slope. */
  count: number;
  mean: number;
  intercept: number;
  slope: number;
  season: Season | null;
};

const ALPHA = [0.01, 0.9999] as const;
const THETA = [1, 30] as const;
/** Smoothing rates from which the search may start. */
const STARTS = [0.1, 0.3, 0.6, 0.9];

/**
 * Fits the dynamic optimised Theta model by least squares (Fiorucci, Pellegrini, Louzada, Petropoulos and Koehler
 * 2016). If a 90% test finds a season, the season is removed first: as factors for positive values, otherwise as
 * offsets.
 *
 * @param values observations in order; NaN is a gap
 * @param season steps of a season; 1 for none
 * @param fixedTheta theta coefficient (2 in the classical method); estimated by default
 * @returns null with fewer than four observations
 */
export function fitTheta(values: Float64Array, season: number, fixedTheta?: number): ThetaParameters | null {
  const filled = filledGaps(values);
  if (filled.length < 4) return null;
  const repeated = hasSeason(filled, season) ? classicalSeason(filled, season) : null;
  const adjusted = repeated ? seasonFilter(repeated).adjusted(values) : values;
  const scale = spreadOf(filledGaps(adjusted));
  const first = adjusted.find((value) => !Number.isNaN(value)) ?? 0;
  const decode = (at: Float64Array): ThetaParameters => ({
    method: "theta",
    alpha: between(...ALPHA, at[1]!),
    theta: fixedTheta ?? between(...THETA, at[2]!),
    level: first + scale * at[0]!,
    count: 0,
    mean: 0,
    intercept: 0,
    slope: 0,
    season: null,
  });
  const cost = (at: Float64Array) => squaredErrors(decode(at), adjusted);
  const rest = fixedTheta === undefined ? [logit(...THETA, 2)] : [];
  const starts = STARTS.map((alpha) => Float64Array.from([0, logit(...ALPHA, alpha), ...rest]));
  const minimum = minimize(
    cost,
    starts.reduce((best, next) => (cost(next) < cost(best) ? next : best)),
  );
  return Number.isFinite(minimum.value) ? { ...decode(minimum.at), season: repeated } : null;
}

function spreadOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 1; i < values.length; i++) sum += Math.abs(values[i]! - values[i - 1]!);
  return Math.max(sum / (values.length - 1), 1e-9);
}

/** Computes the sum of squared one-step errors from the third observation: a line needs two before it. */
function squaredErrors(parameters: ThetaParameters, values: Float64Array): number {
  const model = bareFilter(parameters);
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const error = values[i]! - model.next();
    if (i >= 2 && !Number.isNaN(error)) sum += error * error;
    model.update(values[i]!);
  }
  return sum;
}

/** Creates the Theta filter of a series without a season. */
function bareFilter(parameters: ThetaParameters) {
  const { alpha, theta } = parameters;
  let { level, count, mean, intercept, slope } = parameters;
  /** (1 − alpha) to the power of `count`. */
  let faded = (1 - alpha) ** count;
  const next = () =>
    level + (1 - 1 / theta) * (faded * intercept + ((1 - faded * (1 - alpha)) / alpha) * slope);
  const update = (observed: number) => {
    const value = Number.isNaN(observed) ? (count === 0 ? level : next()) : observed;
    const before = mean;
    count++;
    level = alpha * value + (1 - alpha) * level;
    mean = ((count - 1) * before + value) / count;
    slope = ((count - 2) * slope + (6 / count) * (value - before)) / (count + 1);
    if (count === 1) slope = 0;
    intercept = mean - ((count + 1) / 2) * slope;
    faded *= 1 - alpha;
  };
  const state = () => ({ ...parameters, level, count, mean, intercept, slope });
  return { next, update, state };
}

/** Creates the filter of a Theta model, before its first observation. */
export function thetaFilter(parameters: ThetaParameters): SeriesFilter {
  const model = bareFilter(parameters);
  const season = parameters.season && seasonFilter(parameters.season);
  return {
    update(value) {
      model.update(season ? season.remove(value) : value);
      season?.advance();
    },
    forecast(steps) {
      // Dynamic model: each step treats the previous forecast as an observation.
      const ahead = bareFilter(model.state());
      const level = Float64Array.from({ length: steps }, () => {
        const value = ahead.next();
        ahead.update(value);
        return value;
      });
      if (!season) return withoutSeason(level);
      return { values: level.map((value, step) => season.restore(value, step)), level };
    },
    snapshot: () => ({ ...model.state(), season: season ? season.snapshot() : null }),
  };
}

export const thetaMethod: SeriesMethod<ThetaParameters> = {
  name: "theta",
  work: 3_000,
  schema: (zod) =>
    zod.strictObject({
      method: zod.literal("theta"),
      alpha: partSchema(zod),
      theta: zod.number().min(1).max(1_000),
      level: zod.number(),
      count: zod.number().int().min(0).max(2_147_483_647),
      mean: zod.number(),
      intercept: zod.number(),
      slope: zod.number(),
      season: seasonSchema(zod).nullable(),
    }),
  fit: (values, [season = 1]) => fitTheta(values, season),
  start: thetaFilter,
  text: ({ season }) => `Theta${season ? ", seasonally adjusted" : ""}`,
};
