import type { Member } from "#lib/engine/series-methods/combination";
import { type EtsParameters, fitEts } from "#lib/engine/series-methods/ets";
import { POINTS_MAX } from "#lib/engine/series-methods/methods";
import { fitTheta } from "#lib/engine/series-methods/theta";
import { fitTsb, isIntermittent } from "#lib/engine/series-methods/tsb";
import type { LocalMethods } from "./panel-learner.ts";

/** Minimum number of observations for methods with estimated parameters. */
const OBSERVATIONS_MIN = 6;
/** Smoothing rate of a series with fewer observations. */
const USUAL_RATE = 0.3;

/**
 * Fits the local methods of a series: Theta, simple exponential smoothing and the seasonal naive forecast, whose median is
 * the forecast. Intermittent demand gets the method of Teunter, Syntetos and Babai and simple exponential smoothing, because
 * the last season of such a series is mostly chance.
 *
 * @param values remainders by grid cell; NaN is a gap
 * @param first grid index of the first value
 * @param season steps of the shortest season; 1 for none
 */
export function fitLocal(values: Float64Array, first: number, season: number): LocalMethods {
  const skipped = Math.max(0, values.length - POINTS_MAX);
  const recent = values.subarray(skipped);
  const start = first + skipped;
  const known = recent.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((sum, value) => sum + value, 0) / (known.length || 1);
  const member = (parameters: Member["parameters"] | null | undefined): Member[] =>
    parameters ? [{ parameters, start }] : [];
  if (known.length < OBSERVATIONS_MIN) return { methods: member(smoothing(mean, USUAL_RATE)), mean };
  const simple = fitEts(recent, 1, [{ error: "additive", trend: "none", season: "none" }])?.parameters;
  const smooth = member(simple ?? smoothing(mean, USUAL_RATE));
  if (isIntermittent(recent)) return { methods: [...member(fitTsb(recent)), ...smooth], mean };
  const methods = [...member(fitTheta(recent, 1)), ...smooth, ...member(seasonalNaive(mean, season))];
  return { methods, mean };
}

/** Returns exponential smoothing that starts at a level. */
export function smoothing(level: number, alpha: number): EtsParameters {
  const form = { error: "additive", trend: "none", season: "none" } as const;
  return { method: "ets", form, alpha, beta: 0, gamma: 0, phi: 1, level, slope: 0, season: [] };
}

/** Returns the seasonal naive forecast as exponential smoothing: a level that stays, and seasons that are forgotten at once. */
function seasonalNaive(mean: number, season: number): EtsParameters {
  if (season < 2) return smoothing(mean, 1);
  const form = { error: "additive", trend: "none", season: "additive" } as const;
  return { ...smoothing(mean, 0), form, gamma: 1, season: new Array<number>(season).fill(0) };
}
