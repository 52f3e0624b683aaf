import type { Ensemble } from "#lib/engine/learners/tree";
import type { Member } from "#lib/engine/series-methods/combination";
import type { CalendarField } from "#lib/engine/time/calendar";
import type { Reconciliation } from "./reconciliation.ts";

/**
 * A model of many series. A prediction has two parts. Inputs and calendar act first: their effects are estimated over all
 * series, and each series has its own, shrunk towards the common ones. The *remainder* is the series without these effects. Local
 * methods continue the remainder of each series, trees that learned from all series predict it too, and both are averaged.
 *
 * For example, sales of 54 with a promotion that multiplies them by 1.8 have the remainder 30. If the local methods continue
 * it with 32 and the trees with 36, at equal weights, the next row has 34, or 34 × 1.8 = 61 with a promotion.
 */
export type PanelLearner = {
  kind: "panel";
  /** `log`: effects multiply, for targets that are never negative. `identity`: effects add up, in scales of the series. */
  link: "log" | "identity";
  /** Names of the series columns. */
  columns: string[];
  /** Values of each series, in the order of `columns`. */
  values: string[][];
  /** Number of model inputs of the pipeline. */
  width: number;
  /** Effect of each model input on a typical series. */
  pooled: Float64Array;
  /** Effects of each series, and its means of the model inputs, at which the effects are 0: one row for each series. */
  effects: Float64Array;
  centers: Float64Array;
  /** Typical size of each series' remainder, and of its errors one step ahead. */
  scales: Float64Array;
  errors: Float64Array;
  /** Local methods of each series. */
  local: LocalMethods[];
  /** Group of similar series that each one belongs to, and each group's weight of the trees. */
  groups: Int32Array;
  weights: number[];
  /** Trees of the remainder; null if only local methods are used. */
  global: GlobalTrees | null;
  /** Corrections by forecasts of totals; absent if sums of series are right more often. */
  reconciliation?: Reconciliation | undefined;
  /** For series without known rows. */
  unknown: UnknownSeries;
  /** Means of the model inputs of a typical series; NaN where series differ, as in prices: such an input has no effect without known rows. */
  typical: Float64Array;
};

/** Methods that continue one series, and grid indexes of values that they treat as gaps, because they contradict all others. */
export type LocalMethods = { methods: Member[]; mean: number; ignored?: number[] | undefined };

/** The arrays of numbers of a learner. */
export const PANEL_ARRAYS = ["pooled", "typical", "effects", "centers", "scales", "errors"] as const;

/** Trees over all series, and the features that they read. */
export type GlobalTrees = {
  ensemble: Ensemble;
  /** Steps of seasons, ascending, and of the windows of recent values. */
  seasons: number[];
  windows: number[];
  /** Fields of the calendar. */
  fields: CalendarField[];
  /** Series columns and level columns that the trees read, with their categories in the order of their level. */
  categories: { column: string; values: string[] }[];
  /** Steps of the past that features read at most. */
  reach: number;
};

/**
 * Estimates the level of a series without known rows: `base` plus a part for each known value of its columns, as logarithms
 * with the link `log`.
 */
export type UnknownSeries = {
  base: number;
  parts: { column: string; values: string[]; parts: number[] }[];
  error: number;
};

/** Effects of one series on its model inputs. */
export type SeriesEffects = { effects: Float64Array; centers: Float64Array; scale: number };

/** Returns the effects of a series by its place. */
export function effectsAt({ width, effects, centers, scales }: PanelLearner, place: number): SeriesEffects {
  const from = place * width;
  return {
    effects: effects.subarray(from, from + width),
    centers: centers.subarray(from, from + width),
    scale: scales[place]!,
  };
}
