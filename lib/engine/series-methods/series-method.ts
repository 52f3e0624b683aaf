import type { z } from "zod";
import type { SeriesFilter } from "./series-filter.ts";

export type Zod = typeof z;

/**
 * A series method, as the combination and training know it. A new one is a module that exports it, a line in `registry.ts`
 * and an entry in `lib/contract/algorithms.ts`. Models of many series call some methods directly
 * (`lib/engine/panel-model/local-methods.ts`).
 */
export type SeriesMethod<P extends { method: string }> = {
  name: P["method"];
  /** Measured number of multiplications of a fit per observation. */
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
   * Returns null if the method needs more observations, or a season that the series lacks.
   *
   * @param values observations in order; NaN is a gap
   * @param seasons steps of the seasons that occur at least twice, ascending
   * @param like a fit to other rows of the series, whose form is kept; by default the form is searched
   */
  fit(values: Float64Array, seasons: readonly number[], like?: P): P | null;
  /** Creates the filter, before its first observation. */
  start(parameters: P): SeriesFilter;
  /** Returns the usual notation of the method and its chosen form. */
  text(parameters: P): string;
};

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
