import type { Member } from "./combination.ts";
import { CYCLES_MAX, fitMethod, POINTS_MAX } from "./methods.ts";
import { registered } from "./registry.ts";
import { findSeasons, type RemovedSeasons, startSeasons } from "./seasons.ts";
import { isIntermittent } from "./tsb.ts";

type FittedCombination = { methods: Member[]; seasons?: RemovedSeasons };

/**
 * Fits the combination to a series without inputs: removes the seasons, and fits each method to the rest.
 *
 * @param values observations in order; NaN is a gap
 * @param lengths steps of the seasons that the series may have, ascending, without 1
 * @param first grid index of the first value
 * @param earlier methods of a fit to other rows of the series. `parameters` keeps them and only renews the seasons;
 *   `form` keeps their forms
 */
export function fitCombination(
  values: Float64Array,
  lengths: readonly number[],
  first: number,
  earlier?: { methods: readonly Member[]; keeps: "parameters" | "form" } | undefined,
): FittedCombination {
  const repeated = lengths.filter((length) => 2 * length < values.length);
  const skipped = Math.max(0, values.length - Math.max(POINTS_MAX, CYCLES_MAX * (repeated.at(-1) ?? 1)));
  const start = first + skipped;
  // TSB reads zeros, which the demand without its seasons would lack.
  const parts = isIntermittent(values) ? [] : findSeasons(values.subarray(skipped), repeated);
  const seasons = parts.length > 0 ? { start, parts } : undefined;
  if (earlier?.keeps === "parameters") return { methods: [...earlier.methods], ...(seasons && { seasons }) };
  const removed = seasons && startSeasons(seasons);
  const rest = removed ? values.map((value, i) => removed.remove(value, first + i)) : values;
  const methods = registered.flatMap(({ name }): Member[] => {
    const fit = fitMethod(
      name,
      rest,
      [],
      earlier?.methods.find(({ parameters }) => parameters.method === name)?.parameters,
    );
    return fit ? [{ parameters: fit.parameters, start: first + fit.skipped }] : [];
  });
  return { methods, ...(seasons && { seasons }) };
}
