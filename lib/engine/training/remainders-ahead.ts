import { createGrid } from "#lib/engine/features/grid";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { evaluatorOfLearner } from "#lib/engine/inference/evaluate";
import { forecastGlobal } from "#lib/engine/panel-model/forecast-global";
import { forecastLocal } from "#lib/engine/panel-model/forecast-series";
import { calendarReader, type FeaturePlan } from "#lib/engine/panel-model/global-features";
import type { GlobalTrees, PanelLearner } from "#lib/engine/panel-model/panel-learner";
import type { Observations } from "#lib/engine/series-methods/combination";
import { codesAt } from "./fit-global.ts";
import type { PanelData } from "./prepare-panel.ts";

/**
 * Returns a function that forecasts the remainders of a series at cells, each from its origin: by the local methods, and by the
 * trees, which repeat the local methods if there are none.
 */
export function remaindersAhead(
  data: PanelData,
  { link, local: methods, scales }: PanelLearner,
  trees: GlobalTrees | null,
  { plan, pipeline }: { plan: FeaturePlan; pipeline: FeaturePipeline },
) {
  const evaluate = trees && evaluatorOfLearner(trees.ensemble);
  const calendar = calendarReader(plan, pipeline.timezone);
  const { timeAt } = createGrid(data.grid);
  const bounded = (values: Float64Array) =>
    link === "log" ? values.map((value) => Math.max(0, value)) : values;
  return (
    place: number,
    observed: Observations,
    cells: { indexes: Float64Array; origins: Float64Array },
  ): { local: Float64Array; global: Float64Array } => {
    const local = bounded(forecastLocal(methods[place]!, observed, cells).values);
    if (!trees || !evaluate) return { local, global: local };
    const global = forecastGlobal(
      { global: trees, evaluate, calendar },
      { observed, scale: scales[place]!, codes: codesAt(data, plan, place) },
      Array.from(cells.indexes, (index, i) => ({ index, origin: cells.origins[i]!, instant: timeAt(index) })),
    );
    return { local, global: bounded(global) };
  };
}
