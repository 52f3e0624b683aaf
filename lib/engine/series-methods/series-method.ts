import type { z } from "zod";

export type Zod = typeof z;

/**
 * A method that forecasts one series, for example `tsb.ts`. To add one: a module that exports it, its line in `registry.ts`,
 * its entry of the kind `series` in `lib/contract/algorithms.ts`, and its name in `docs/glossary.md`. The combination
 * (`fitCombination`) then tries it on each series without inputs. `methods.test.ts` tests it; a method with `suits` is not tested
 * there, and needs a test beside it.
 */
export type SeriesMethod<P extends { method: string }> = {
  name: P["method"];
  /** Number of multiplications of a fit per observation, measured: training limits the number of its fits by it. */
  work: number;
  /** Whether the method reads many cycles of its longest season, however many observations these are. */
  readsCycles?: boolean;
  /**
   * Returns whether the method is made for a target. Then `auto` tries it alone, too. Its `fit` returns null for other
   * series, such as the remainder of a regression.
   */
  suits?(targets: Float64Array): boolean;
  /** Requirement of a series besides enough observations, as the message names it. */
  needs?: string;
  /** Returns the schema of the parameters in learner.json. The caller passes the library, which pages do not load. */
  schema(zod: Zod): z.core.$ZodTypeDiscriminable;
  /**
   * Returns null if the method needs more observations, or a season that the series lacks. The combination passes no
   * seasons, because it removes them first; a method that needs one takes no part in it. A request that chooses the method,
   * and forecasts of the residuals of a regression, pass the seasons.
   *
   * @param values observations in order, possibly negative; NaN is a gap
   * @param seasons steps of the seasons that occur at least twice, ascending
   * @param like a fit to other rows of the series, whose form is kept; by default the form is searched
   */
  fit(values: Float64Array, seasons: readonly number[], like?: P): P | null;
  /** Creates the filter, before its first observation. */
  start(parameters: P): SeriesFilter;
  /** Returns the usual notation of the method and its chosen form. */
  text(parameters: P): string;
};

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

/** Longest season of ETS and ARIMA, whose states hold one value for each step of the season. */
const SEASON_MAX = 24;

/** Returns the shortest season if a state can hold it, otherwise 1. */
export function shortSeason([season = 1]: readonly number[]): number {
  return season <= SEASON_MAX ? season : 1;
}

/** Returns the schema of a value from 0 to 1. */
export const partSchema = (zod: Zod) => zod.number().min(0).max(1);
/** Returns the schema of one season. The longest season that training finds has fewer steps. */
export const valuesSchema = (zod: Zod) => zod.array(zod.number()).max(100_000);
