import { buildFeatures } from "#lib/engine/features/build-features";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import { type Combined, type Observations, startCombination } from "#lib/engine/series-methods/combination";
import type { SeriesForecast } from "#lib/engine/series-methods/series-method";
import type { PanelLearner, SeriesEffects } from "./panel-learner.ts";
import { effectSums, removeEffects } from "./remainder.ts";

/** Maximum forecast length; later steps repeat its last value. A row in the year 9999 would otherwise fill the memory. */
const STEPS_MAX = 10_000;

/** Returns the known targets of a series without the effects of their inputs. */
export function remaindersOf(
  pipeline: FeaturePipeline,
  link: PanelLearner["link"],
  effects: SeriesEffects,
  { table, firstIndex, observed, rowAt }: KnownSeries,
  ignored: readonly number[] = [],
): Observations {
  const sums = effectSums(effects, buildFeatures(pipeline, table).columns, table.rowCount);
  const values = observed.map((value, cell) => {
    const row = rowAt[cell]!;
    return row < 0 ? Number.NaN : removeEffects(link, value, sums[row]!, effects.scale);
  });
  for (const index of ignored) values[index - firstIndex] = Number.NaN;
  return { values, firstIndex };
}

/**
 * Forecasts the remainder at cells of a series by its local methods, each from the observations before its origin.
 *
 * @param origins first unknown grid index for each cell
 */
export function forecastLocal(
  local: Combined,
  observed: Observations,
  { indexes, origins }: { indexes: Float64Array; origins: Float64Array },
): SeriesForecast {
  const values = new Float64Array(indexes.length);
  const level = new Float64Array(indexes.length);
  const combination = startCombination(local);
  for (const [origin, cells] of byOrigin(origins)) {
    const stepOf = (cell: number) => Math.min(STEPS_MAX, Math.max(1, indexes[cell]! - origin + 1)) - 1;
    combination.advance(observed, origin);
    const ahead = combination.forecast(1 + cells.reduce((most, cell) => Math.max(most, stepOf(cell)), 0));
    for (const cell of cells) {
      values[cell] = ahead.values[stepOf(cell)]!;
      level[cell] = ahead.level[stepOf(cell)]!;
    }
  }
  return { values, level };
}

/** Returns the cells of each origin, in the order of origins. */
function byOrigin(origins: Float64Array): [origin: number, cells: number[]][] {
  const cells = Map.groupBy(origins.keys(), (cell) => origins[cell]!);
  return [...cells].sort(([a], [b]) => a - b);
}
