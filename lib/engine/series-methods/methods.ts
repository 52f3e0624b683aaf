import { arimaFilter, fitArima } from "./arima.ts";
import type { ArimaParameters } from "./arima-order.ts";
import { type EtsParameters, etsFilter, fitEts } from "./ets.ts";
import { fitSeasonalEts, type SeasonalEtsParameters, seasonalEtsFilter } from "./seasonal-ets.ts";
import type { SeriesFilter } from "./series-filter.ts";
import { fitTheta, type ThetaParameters, thetaFilter } from "./theta.ts";
import { fitTsb, type TsbParameters, tsbFilter } from "./tsb.ts";

/** Parameters of a method, with the state before its first observation. */
export type MethodParameters =
  | EtsParameters
  | ThetaParameters
  | ArimaParameters
  | SeasonalEtsParameters
  | TsbParameters;
export type MethodName = MethodParameters["method"];

/** The methods of the combination, in the order in which they are shown. */
export const METHODS: readonly MethodName[] = ["ets", "theta", "arima", "stl_ets", "tsb"];

/**
 * Maximum number of latest observations to fit to. STL+ETS reads up to `CYCLES_MAX` cycles of its longest season if those
 * are more observations.
 */
const POINTS_MAX = 1_000;
const CYCLES_MAX = 12;
/** Longest season of ETS and ARIMA, whose states hold one value for each step of the season. */
const SEASON_MAX = 24;

type FittedMethod = {
  parameters: MethodParameters;
  /** Number of observations before the first one that the method was fitted to. */
  skipped: number;
};

/**
 * Fits a method to a series.
 *
 * @param values observations in order; NaN is a gap
 * @param seasons steps of the seasons that the series may have, ascending, without 1
 * @returns null if the method needs more observations, or a season that the series lacks
 */
export function fitMethod(
  method: MethodName,
  values: Float64Array,
  seasons: readonly number[],
): FittedMethod | null {
  // STL+ETS reads whole cycles. A long gap must not add cycles that the observations cannot fill.
  const count = values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : 1), 0);
  const repeated = seasons.filter((season) => season < count && 2 * season < values.length);
  const points =
    method === "stl_ets" ? Math.max(POINTS_MAX, CYCLES_MAX * (repeated.at(-1) ?? 1)) : POINTS_MAX;
  const skipped = Math.max(0, values.length - points);
  const latest = values.subarray(skipped);
  const season = repeated[0] ?? 1;
  const short = season <= SEASON_MAX ? season : 1;
  const fit = {
    ets: () => fitEts(latest, short)?.parameters,
    theta: () => fitTheta(latest, season),
    arima: () => fitArima(latest, short)?.parameters,
    stl_ets: () => fitSeasonalEts(latest, repeated),
    tsb: () => fitTsb(latest),
  }[method]();
  return fit ? { parameters: fit, skipped } : null;
}

/** Creates the filter of a method, before its first observation. */
export function startFilter(parameters: MethodParameters): SeriesFilter {
  switch (parameters.method) {
    case "ets":
      return etsFilter(parameters);
    case "theta":
      return thetaFilter(parameters);
    case "arima":
      return arimaFilter(parameters);
    case "stl_ets":
      return seasonalEtsFilter(parameters);
    case "tsb":
      return tsbFilter(parameters);
  }
}

/** Returns the usual notation of a method and its chosen form: "ETS(A,Ad,N)", "ARIMA(0,1,1)(0,1,1)[12]". */
export function methodText(parameters: MethodParameters): string {
  if (parameters.method === "ets") return etsText(parameters);
  if (parameters.method === "tsb") return "TSB";
  if (parameters.method === "theta") return `Theta${parameters.season ? ", seasonally adjusted" : ""}`;
  if (parameters.method === "stl_ets") {
    const steps = parameters.seasons.map(({ values }) => values.length).join(", ");
    return `STL(${steps}) + ${etsText(parameters.adjusted)}`;
  }
  const { p, d, q, P, D, Q, steps } = parameters.order;
  const seasonal = steps > 1 ? `(${P},${D},${Q})[${steps}]` : "";
  return `ARIMA(${p},${d},${q})${seasonal}`;
}

function etsText({ form }: EtsParameters): string {
  const letters = { none: "N", additive: "A", multiplicative: "M", damped: "Ad" };
  return `ETS(${letters[form.error]},${letters[form.trend]},${letters[form.season]})`;
}
