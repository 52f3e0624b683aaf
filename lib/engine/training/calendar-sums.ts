import { buildFeatures } from "#lib/engine/features/build-features";
import { createGrid } from "#lib/engine/features/grid";
import { type FeaturePipeline, readsTime } from "#lib/engine/features/pipeline";
import { effectsAt, type PanelLearner } from "#lib/engine/panel-model/panel-learner";
import { effectSums } from "#lib/engine/panel-model/remainder";
import type { PanelData } from "./prepare-panel.ts";

/** Returns a function that sums the effects of the calendar on a series, from the first grid index to a horizon after the last. */
export function calendarSums({ grid, first, end, horizon }: PanelData, pipeline: FeaturePipeline) {
  const { timeAt } = createGrid(grid);
  const rowCount = end + horizon - first;
  const times = Float64Array.from({ length: rowCount }, (_, at) => timeAt(first + at));
  const columns = buildFeatures(
    { ...pipeline, steps: pipeline.steps.filter(readsTime) },
    { rowCount, columns: [{ name: pipeline.timestamp!, type: "timestamp", values: times }] },
  ).columns;
  return (learner: PanelLearner, place: number): Float64Array => {
    const { effects, centers, scale } = effectsAt(learner, place);
    // The calendar's model inputs follow those of the inputs, as `panelPipeline` makes them.
    const before = learner.width - columns.length;
    const own = { effects: effects.subarray(before), centers: centers.subarray(before), scale };
    return effectSums(own, columns, rowCount);
  };
}
