import { type MethodName, type MethodParameters, registered } from "./registry.ts";
import type { SeriesFilter } from "./series-method.ts";

export type { MethodName, MethodParameters };

/** Names of the methods of the combination. */
export const METHODS: readonly MethodName[] = registered.map(({ name }) => name);

/**
 * Maximum number of latest observations to fit to. STL+ETS reads up to `CYCLES_MAX` cycles of its longest season if those
 * are more observations.
 */
export const POINTS_MAX = 1_000;
export const CYCLES_MAX = 12;

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
 * @param like a fit to other rows of the series, whose form is kept
 * @returns null if the method needs more observations, or a season that the series lacks
 */
export function fitMethod(
  name: MethodName,
  values: Float64Array,
  seasons: readonly number[],
  like?: MethodParameters,
): FittedMethod | null {
  const method = methodOf(name);
  // STL+ETS reads whole cycles. A long gap must not add cycles that the observations cannot fill.
  const count = values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : 1), 0);
  const repeated = seasons.filter((season) => season < count && 2 * season < values.length);
  const points = method.readsCycles ? Math.max(POINTS_MAX, CYCLES_MAX * (repeated.at(-1) ?? 1)) : POINTS_MAX;
  const skipped = Math.max(0, values.length - points);
  const parameters = method.fit(values.subarray(skipped), repeated, like as never);
  return parameters && { parameters, skipped };
}

/** Returns the method with a name. */
export function methodOf(name: string) {
  return registered.find((method) => method.name === name)!;
}

/** Creates the filter of a method, before its first observation. */
export function startFilter(parameters: MethodParameters): SeriesFilter {
  return methodOf(parameters.method).start(parameters as never);
}

/** Returns the usual notation of a method and its chosen form: "ETS(A,Ad,N)", "ARIMA(0,1,1)(0,1,1)[12]". */
export function methodText(parameters: MethodParameters): string {
  return methodOf(parameters.method).text(parameters as never);
}
