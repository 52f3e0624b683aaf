import type { Importance } from "#lib/contract/models";
import { buildFeatures } from "#lib/engine/features/build-features";
import { groupSources, importanceParts, inputSources } from "#lib/engine/inference/feature-sources";
import { effectsAt, type PanelLearner } from "#lib/engine/panel-model/panel-learner";
import { sliceRows } from "#lib/engine/table/rows";
import type { PanelSettings } from "./fit-panel-learner.ts";
import type { PanelData } from "./prepare-panel.ts";

/** Rows that importance is computed on. */
const IMPORTANCE_ROWS = 20_000;

/** Computes shares of the mean absolute effects of each input, and of the level and the past of the target. */
export function panelImportance(
  data: PanelData,
  learner: PanelLearner,
  { pipeline, link }: PanelSettings,
): Importance[] {
  const sources = inputSources(pipeline);
  const { groups, places } = groupSources(sources);
  const gains = new Float64Array(groups.length);
  let [past, rows] = [0, 0];
  const every = Math.max(1, Math.floor(data.table.rowCount / IMPORTANCE_ROWS));
  for (let place = 0; place < data.index.values.length && rows < IMPORTANCE_ROWS; place += every) {
    const part = sliceRows(data.table, data.starts[place]!, data.starts[place + 1]!);
    const { effects, centers, scale } = effectsAt(learner, place);
    const unit = link === "log" ? 1 : scale;
    const own = new Float64Array(groups.length);
    for (const [at, column] of buildFeatures(pipeline, part).columns.entries())
      for (const value of column) {
        const effect = Math.abs(effects[at]! * (value - centers[at]!)) * unit;
        if (!Number.isNaN(effect)) own[places[at]!]! += effect;
      }
    own.forEach((gain, at) => {
      gains[at]! += gain;
    });
    rows += part.rowCount;
    past +=
      (part.rowCount * learner.errors[place]!) /
      (link === "log" ? Math.max(learner.scales[place]!, 1e-12) : 1);
  }
  const total = gains.reduce((sum, gain) => sum + gain, past) || 1;
  const shares = gains.map((gain) => gain / total);
  const features = [...new Set(groups.map(({ feature }) => feature))];
  const gainOf = (feature: string) =>
    groups.reduce((sum, group, at) => sum + (group.feature === feature ? shares[at]! : 0), 0);
  return [
    ...features.map((feature) => ({
      feature,
      gain: gainOf(feature),
      ...importanceParts(feature, groups, [...shares]),
    })),
    { feature: pipeline.target, gain: past / total },
  ].sort((a, b) => b.gain - a.gain);
}
