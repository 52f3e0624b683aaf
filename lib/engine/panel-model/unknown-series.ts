import { exp } from "#lib/engine/learners/exp";
import type { PanelLearner, UnknownSeries } from "./panel-learner.ts";

/** Series with the overall mean that shrink the part of each value. */
const PRIOR_SERIES = 1;
const SWEEPS = 20;
/** Smallest level, as a fraction of the mean, that counts as more than 0. */
const LEAST = 1e-3;

/**
 * Fits the level of series by the values of their columns: for each value a part, shrunk to 0, in turn for each column
 * (backfitting). A new combination of a known store and a known item gets the parts of both.
 *
 * @param columns names of series columns and level columns
 * @param values values of each series, in the order of `columns`
 * @param levels level of each series
 */
export function fitUnknown(
  link: PanelLearner["link"],
  columns: readonly string[],
  values: readonly (readonly string[])[],
  levels: Float64Array,
): Omit<UnknownSeries, "error"> {
  const mean = levels.reduce((sum, level) => sum + level, 0) / (levels.length || 1);
  const least = LEAST * Math.abs(mean) || 1;
  const response = link === "log" ? levels.map((level) => Math.log(Math.max(level, least))) : levels;
  const base = response.reduce((sum, value) => sum + value, 0) / (response.length || 1);
  const rest = response.map((value) => value - base);
  const codes = columns.map((_, at) => {
    const places = new Map<string, number>();
    const ofSeries = Int32Array.from(values, (own) => {
      const value = own[at]!;
      const place = places.get(value) ?? places.size;
      places.set(value, place);
      return place;
    });
    return { names: [...places.keys()], ofSeries, parts: new Float64Array(places.size) };
  });
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const { ofSeries, parts } of codes) {
      const sums = new Float64Array(parts.length);
      const counts = new Float64Array(parts.length);
      ofSeries.forEach((place, series) => {
        sums[place]! += rest[series]! + parts[place]!;
        counts[place]!++;
      });
      const next = sums.map((sum, place) => sum / (counts[place]! + PRIOR_SERIES));
      ofSeries.forEach((place, series) => {
        rest[series]! += parts[place]! - next[place]!;
      });
      parts.set(next);
    }
  return {
    base,
    parts: codes.map(({ names, parts }, at) => ({ column: columns[at]!, values: names, parts: [...parts] })),
  };
}

/** Returns the level of a series by the values of its columns. */
export function levelOfUnknown(
  { base, parts }: UnknownSeries,
  link: PanelLearner["link"],
  textIn: (column: string) => string,
): number {
  const sum = parts.reduce((total, { column, values, parts }) => {
    const at = values.indexOf(textIn(column));
    return total + (at < 0 ? 0 : parts[at]!);
  }, base);
  return link === "log" ? exp(sum) : sum;
}
