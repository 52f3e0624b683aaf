import { filledGaps } from "./gaps.ts";
import { minimize } from "./minimize.ts";
import { centredMeans } from "./season.ts";
import { aicc, between, logit, type SeriesFilter, withoutSeason } from "./series-filter.ts";

export type EtsForm = {
  error: "additive" | "multiplicative";
  trend: "none" | "additive" | "damped";
  season: "none" | "additive" | "multiplicative";
};

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
  const season = form.season === "none" ? 0 : steps;
  const parameters = 3 + (hasTrend ? 2 : 0) + (form.trend === "damped" ? 1 : 0) + season;
  if (count <= parameters + 1) return null;
  const start = startOf(values, form, season);
  const unit = start.spread;
  const seasonUnit = form.season === "multiplicative" ? unit / Math.max(1e-9, Math.abs(start.level)) : unit;
  const decode = (at: Float64Array): EtsParameters => {
    let i = 0;
    const alpha = between(...ALPHA, at[i++]!);
    const beta = hasTrend ? between(1e-4, alpha, at[i++]!) : 0;
    const gamma = season > 0 ? between(1e-4, Math.max(2e-4, 1 - alpha), at[i++]!) : 0;
    const phi = form.trend === "damped" ? between(...PHI, at[i++]!) : 1;
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
      ...(form.trend === "damped" ? [logit(...PHI, 0.96)] : []),
      0,
      ...(hasTrend ? [0] : []),
      ...new Array<number>(Math.max(0, season - 1)).fill(0),
    ]);
  const cost = (at: Float64Array) => likelihood(decode(at), values);
  // The likelihood can have several maxima: a slow level and a fast one.
  const found = [0.2, 0.8]
    .map((alpha) => minimize(cost, first(alpha)))
    .reduce((best, next) => (next.value < best.value ? next : best));
  if (!Number.isFinite(found.value)) return null;
  const { residual, logs } = run(decode(found.at), values);
  // Count as R's forecast package does: without constants of the normal density.
  return {
    parameters: decode(found.at),
    aicc: aicc(found.value, parameters, count),
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

/** Returns the start of the search: a line through the first seasons, and the seasonal deviations from it. */
function startOf(values: Float64Array, form: EtsForm, season: number) {
  const length = Math.min(values.length, Math.max(10, 2 * season, Math.min(4 * season, 60)));
  const first = filledGaps(values.subarray(0, Math.max(length, 10)));
  const shape = new Float64Array(Math.max(1, season));
  const isProduct = form.season === "multiplicative";
  if (season > 0) {
    const smooth = centredMeans(first, season);
    const counts = new Float64Array(season);
    first.forEach((value, i) => {
      const middle = smooth[i]!;
      if (Number.isNaN(middle)) return;
      shape[i % season]! += isProduct ? value / middle : value - middle;
      counts[i % season]!++;
    });
    let total = 0;
    for (let i = 0; i < season; i++) {
      shape[i] = counts[i]! > 0 ? shape[i]! / counts[i]! : isProduct ? 1 : 0;
      total += shape[i]! / season;
    }
    for (let i = 0; i < season; i++) {
      if (isProduct) shape[i] = Math.max(1e-2, shape[i]! / total);
      else shape[i]! -= total;
    }
  }
  const adjusted = first.map((value, i) =>
    season === 0 ? value : isProduct ? value / shape[i % season]! : value - shape[i % season]!,
  );
  const { intercept, slope } = line(adjusted.subarray(0, Math.max(10, 2 * season)));
  let spread = 0;
  for (let i = 1; i < adjusted.length; i++) spread += Math.abs(adjusted[i]! - adjusted[i - 1]!);
  spread = Math.max(spread / Math.max(1, adjusted.length - 1), 1e-4);
  return form.trend === "none"
    ? { level: intercept + slope, slope: 0, season: shape, spread }
    : { level: intercept, slope, season: shape, spread };
}

/** Fits a least squares line; the abscissa of the first value is 1. */
function line(values: Float64Array) {
  const n = values.length;
  let sumY = 0;
  let sumXY = 0;
  values.forEach((value, i) => {
    sumY += value;
    sumXY += (i + 1) * value;
  });
  const meanX = (n + 1) / 2;
  const slope = n > 1 ? (sumXY - meanX * sumY) / ((n * (n * n - 1)) / 12) : 0;
  return { intercept: sumY / n - slope * meanX, slope };
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
