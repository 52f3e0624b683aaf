import { type EtsParameters, etsFilter, etsSchema, etsText, fitEts } from "./ets.ts";
import { type Season, seasonFilter, seasonSchema } from "./season.ts";
import type { SeriesFilter, SeriesMethod } from "./series-method.ts";
import { mstl } from "./stl.ts";

/** STL+ETS: the seasons of a series, and exponential smoothing of the series without them. */
export type StlEtsParameters = { method: "stl_ets"; seasons: Season[]; adjusted: EtsParameters };

/**
 * Removes the seasons by MSTL, and fits exponential smoothing without a season to the rest (R's `stlf`). The last
 * cycle of each season repeats.
 *
 * @param values observations in order; NaN is a gap
 * @param seasons steps of the seasons, ascending
 * @returns null unless the series is longer than two of the longest season, or if the rest cannot be fitted
 */
export function fitStlEts(values: Float64Array, seasons: readonly number[]): StlEtsParameters | null {
  const longest = seasons.at(-1);
  if (longest === undefined || values.length < 2 * longest + 1) return null;
  const parts = mstl(values, seasons);
  const rest = values.map((value, i) => parts.seasons.reduce((left, season) => left - season[i]!, value));
  const fit = fitEts(
    rest,
    1,
    (["none", "additive", "damped"] as const).map((trend) => ({ error: "additive", trend, season: "none" })),
  );
  if (fit === null) return null;
  // Align the last cycle, which ends with the last observation, with the first observation.
  const repeated = parts.seasons.map((season, i): Season => {
    const steps = seasons[i]!;
    const last = season.subarray(season.length - steps);
    const phase = (steps - (values.length % steps)) % steps;
    return {
      kind: "additive",
      values: Array.from({ length: steps }, (_, at) => last[(phase + at) % steps]!),
    };
  });
  return { method: "stl_ets", seasons: repeated, adjusted: fit.parameters };
}

/** Creates the filter of STL+ETS, before its first observation. */
export function stlEtsFilter({ seasons, adjusted }: StlEtsParameters): SeriesFilter {
  const repeated = seasons.map(seasonFilter);
  const rest = etsFilter(adjusted);
  return {
    update(value) {
      rest.update(repeated.reduce((left, season) => season.remove(left), value));
      for (const season of repeated) season.advance();
    },
    forecast(steps) {
      const level = rest.forecast(steps).values;
      const values = level.map((value, step) =>
        repeated.reduce((sum, season) => season.restore(sum, step), value),
      );
      return { values, level };
    },
    snapshot: () => ({
      method: "stl_ets",
      seasons: repeated.map((season) => season.snapshot()),
      adjusted: rest.snapshot() as EtsParameters,
    }),
  };
}

export const stlEtsMethod: SeriesMethod<StlEtsParameters> = {
  name: "stl_ets",
  work: 5_000,
  readsCycles: true,
  needs: "two seasons",
  schema: (zod) =>
    zod.strictObject({
      method: zod.literal("stl_ets"),
      seasons: zod.array(seasonSchema(zod)).max(20),
      adjusted: etsSchema(zod),
    }),
  fit: fitStlEts,
  start: stlEtsFilter,
  text: ({ seasons, adjusted }) =>
    `STL(${seasons.map(({ values }) => values.length).join(", ")}) + ${etsText(adjusted)}`,
};
