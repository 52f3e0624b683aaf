import { type EtsForm, startOf } from "./ets-start.ts";
import { aicc, between, logit } from "./fitting.ts";
import { minimize } from "./minimize.ts";
import {
  partSchema,
  type SeriesFilter,
  type SeriesMethod,
  shortSeason,
  valuesSchema,
  withoutSeason,
  type Zod,
} from "./series-method.ts";

/** Exponential smoothing as an innovations state space model, with the state before its first observation. */
export type EtsParameters = {
  method: "ets";
  form: EtsForm;
  alpha: number;
  beta: number;
  gamma: number;
  phi: number;
  level: number;
  slope: number;
  /** Seasonal values of the next steps, starting at the first observation; empty without a season. */
  season: number[];
};

type EtsFit = { parameters: EtsParameters; aicc: number; logLikelihood: number; sigma2: number };

/** Multiplicative forms are excluded for values that come closer to 0 than this fraction of their mean. */
const POSITIVE_PART = 1e-3;
const ALPHA = [1e-4, 0.9999] as const;
const PHI = [0.8, 0.98] as const;
/**
 * Minimum number of observations for an undamped trend, and for an estimate of its damping. With fewer, a trend is damped
 * by `DAMPING`: the last changes of a short series would otherwise continue for ever.
 */
const TREND_POINTS_MIN = 20;
const DAMPING = 0.95;
/** Smoothing rates of the level from which the search may start. */
const STARTS = [0.1, 0.3, 0.6, 0.9];

/** The 15 forms whose forecasts are stable (Hyndman and Athanasopoulos, chapter 8). */
const FORMS: readonly EtsForm[] = (["additive", "multiplicative"] as const).flatMap((error) =>
  (["none", "additive", "damped"] as const).flatMap((trend) =>
    (["none", "additive", "multiplicative"] as const).flatMap((season) =>
      error === "additive" && season === "multiplicative" ? [] : [{ error, trend, season }],
    ),
  ),
);

/**
 * Fits exponential smoothing by maximum likelihood and chooses the form with the lowest AICc (Hyndman, Koehler,
 * Snyder and Grose 2002).
 *
 * @param values observations in order; NaN is a gap
 * @param season steps of a season; 1 for none
 * @param forms the forms to choose from
 * @returns null if all values are 0, or no form has enough observations
 */
export function fitEts(
  values: Float64Array,
  season: number,
  forms: readonly EtsForm[] = FORMS,
): EtsFit | null {
  let sum = 0;
  let count = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += Math.abs(value);
    count++;
    least = Math.min(least, value);
  }
  const scale = sum / count;
  if (!(scale > 0)) return null;
  const scaled = values.map((value) => value / scale);
  const isPositive = least > POSITIVE_PART * scale;
  let best: EtsFit | null = null;
  for (const form of forms) {
    if (form.season !== "none" && (season < 2 || count < 2 * season + 1)) continue;
    if (!isPositive && (form.error === "multiplicative" || form.season === "multiplicative")) continue;
    if (form.trend === "additive" && count < TREND_POINTS_MIN) continue;
    const fit = fitForm(scaled, count, form, season);
    if (fit !== null && (best === null || fit.aicc < best.aicc)) best = fit;
  }
  return best && unscaled(best, scale, count);
}

function unscaled(fit: EtsFit, scale: number, count: number): EtsFit {
  const { parameters } = fit;
  const { form, level, slope, season } = parameters;
  return {
    parameters: {
      ...parameters,
      level: level * scale,
      slope: slope * scale,
      season: form.season === "additive" ? season.map((value) => value * scale) : season,
    },
    // The scale shifts the likelihood of all forms equally.
    aicc: fit.aicc + 2 * count * Math.log(scale),
    logLikelihood: fit.logLikelihood - count * Math.log(scale),
    sigma2: form.error === "additive" ? fit.sigma2 * scale ** 2 : fit.sigma2,
  };
}

function fitForm(values: Float64Array, count: number, form: EtsForm, steps: number): EtsFit | null {
  const hasTrend = form.trend !== "none";
  const estimatesDamping = form.trend === "damped" && count >= TREND_POINTS_MIN;
  const season = form.season === "none" ? 0 : steps;
  const parameters = 3 + (hasTrend ? 2 : 0) + (estimatesDamping ? 1 : 0) + season;
  if (count <= parameters + 1) return null;
  const start = startOf(values, form, season);
  const unit = start.spread;
  const seasonUnit = form.season === "multiplicative" ? unit / Math.max(1e-9, Math.abs(start.level)) : unit;
  const decode = (at: Float64Array): EtsParameters => {
    let i = 0;
    const alpha = between(...ALPHA, at[i++]!);
    const beta = hasTrend ? between(1e-4, alpha, at[i++]!) : 0;
    const gamma = season > 0 ? between(1e-4, Math.max(2e-4, 1 - alpha), at[i++]!) : 0;
    const damping = estimatesDamping ? between(...PHI, at[i++]!) : DAMPING;
    const phi = form.trend === "damped" ? damping : 1;
    const level = start.level + unit * at[i++]!;
    const slope = hasTrend ? start.slope + unit * at[i++]! : 0;
    const values = new Array<number>(season);
    let rest = form.season === "multiplicative" ? season : 0;
    for (let place = 0; place < season - 1; place++) {
      values[place] = start.season[place]! + seasonUnit * at[i++]!;
      rest -= values[place]!;
    }
    if (season > 0) values[season - 1] = rest;
    return { method: "ets", form, alpha, beta, gamma, phi, level, slope, season: values };
  };
  const first = (alpha: number) =>
    Float64Array.from([
      logit(...ALPHA, alpha),
      ...(hasTrend ? [logit(1e-4, alpha, 0.1 * alpha)] : []),
      ...(season > 0 ? [logit(1e-4, 1 - alpha, 0.05 * (1 - alpha))] : []),
      ...(estimatesDamping ? [logit(...PHI, 0.96)] : []),
      0,
      ...(hasTrend ? [0] : []),
      ...new Array<number>(Math.max(0, season - 1)).fill(0),
    ]);
  const cost = (at: Float64Array) => likelihood(decode(at), values);
  // The likelihood can have several maxima: a slow level and a fast one.
  const minimum = minimize(
    cost,
    STARTS.map(first).reduce((best, next) => (cost(next) < cost(best) ? next : best)),
  );
  if (!Number.isFinite(minimum.value)) return null;
  const { residual, logs } = run(decode(minimum.at), values);
  // Count as R's forecast package does: without constants of the normal density.
  return {
    parameters: decode(minimum.at),
    aicc: aicc(minimum.value, parameters, count),
    logLikelihood: -0.5 * (count * Math.log(residual) + 2 * logs),
    sigma2: residual / Math.max(1, count - parameters + 1),
  };
}

/** Computes −2 log likelihood up to a constant. */
function likelihood(parameters: EtsParameters, values: Float64Array): number {
  const { residual, logs, count } = run(parameters, values);
  return count * Math.log(Math.max(residual, 1e-300)) + 2 * logs;
}

/** Computes the sum of squared (relative) errors, and the sum of the logarithms of their denominators. */
function run(parameters: EtsParameters, values: Float64Array) {
  const { form, alpha, beta, gamma, phi } = parameters;
  const isRelative = form.error === "multiplicative";
  const isProduct = form.season === "multiplicative";
  const season = Float64Array.from(parameters.season);
  const steps = season.length;
  let { level, slope } = parameters;
  let residual = 0;
  let logs = 0;
  let count = 0;
  let place = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const trend = level + phi * slope;
    const part = steps > 0 ? season[place]! : 0;
    const expected = isProduct ? trend * part : trend + part;
    let error = value - expected;
    if (Number.isNaN(error)) error = 0;
    else {
      count++;
      if (isRelative) {
        if (!(expected > 1e-9)) return { residual: Number.NaN, logs: Number.NaN, count };
        residual += (error / expected) ** 2;
        logs += Math.log(expected);
      } else residual += error * error;
    }
    const drawn = isProduct ? error / part : error;
    level = trend + alpha * drawn;
    slope = phi * slope + beta * drawn;
    if (steps > 0) {
      season[place] = part + gamma * (isProduct ? error / trend : error);
      place = place + 1 === steps ? 0 : place + 1;
    }
  }
  return { residual, logs, count };
}

/** Creates the filter of exponential smoothing, before its first observation. */
export function etsFilter(parameters: EtsParameters): SeriesFilter {
  const { form, alpha, beta, gamma, phi } = parameters;
  const isProduct = form.season === "multiplicative";
  const season = Float64Array.from(parameters.season);
  const steps = season.length;
  let { level, slope } = parameters;
  let place = 0;
  return {
    update(value) {
      const trend = level + phi * slope;
      const part = steps > 0 ? season[place]! : 0;
      let error = value - (isProduct ? trend * part : trend + part);
      if (Number.isNaN(error)) error = 0;
      const drawn = isProduct ? error / part : error;
      level = trend + alpha * drawn;
      slope = phi * slope + beta * drawn;
      if (steps === 0) return;
      season[place] = part + gamma * (isProduct ? error / trend : error);
      place = (place + 1) % steps;
    },
    forecast(count) {
      let grown = 0;
      let damped = 1;
      const trends = Float64Array.from({ length: count }, () => {
        damped *= phi;
        grown += damped;
        return level + grown * slope;
      });
      if (steps === 0) return withoutSeason(trends);
      const values = trends.map((trend, step) => {
        const part = season[(place + step) % steps]!;
        return isProduct ? trend * part : trend + part;
      });
      return { values, level: trends };
    },
    snapshot: () => ({
      ...parameters,
      level,
      slope,
      season: Array.from({ length: steps }, (_, i) => season[(place + i) % steps]!),
    }),
  };
}

/** Returns the notation of the form: "ETS(A,Ad,N)". */
export function etsText({ form }: EtsParameters): string {
  const letters = { none: "N", additive: "A", multiplicative: "M", damped: "Ad" };
  return `ETS(${letters[form.error]},${letters[form.trend]},${letters[form.season]})`;
}

export const etsSchema = (zod: Zod) =>
  zod
    .strictObject({
      method: zod.literal("ets"),
      form: zod.strictObject({
        error: zod.enum(["additive", "multiplicative"]),
        trend: zod.enum(["none", "additive", "damped"]),
        season: zod.enum(["none", "additive", "multiplicative"]),
      }),
      alpha: partSchema(zod),
      beta: partSchema(zod),
      gamma: partSchema(zod),
      phi: partSchema(zod),
      level: zod.number(),
      slope: zod.number(),
      season: valuesSchema(zod),
    })
    .refine(
      ({ form, season }) => (form.season === "none") === (season.length === 0),
      "Use seasonal values exactly if the form has a season",
    );

export const etsMethod: SeriesMethod<EtsParameters> = {
  name: "ets",
  work: 40_000,
  schema: etsSchema,
  fit: (values, seasons, like) =>
    fitEts(values, shortSeason(seasons), like && [like.form])?.parameters ?? null,
  start: etsFilter,
  text: etsText,
};
