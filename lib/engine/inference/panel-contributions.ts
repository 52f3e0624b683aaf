import type { Table } from "#lib/contract/table";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import type { RowPredictions } from "#lib/engine/forecasting/predict-rows";
import { indexSeries, seriesKey } from "#lib/engine/panel/series-index";
import { effectsAt, type PanelLearner } from "#lib/engine/panel-model/panel-learner";
import { takeRows } from "#lib/engine/table/rows";
import { type FeatureContributions, settle } from "./contributions.ts";
import { type FeatureSource, groupSources, inputSources } from "./feature-sources.ts";

/**
 * Computes the contributions to predictions of many series: the series' own level, changes of its level, its season, and its
 * inputs. Effects that multiply share the difference that they make in proportion to their logarithms (Ang 2004): a
 * promotion of × 1.5 and a price of × 1.2 that raise 100 to 180 contribute 55 and 25.
 */
export function panelContributions(
  {
    learner,
    pipeline,
    places,
  }: { learner: PanelLearner; pipeline: FeaturePipeline; places: ReadonlyMap<string, number> },
  table: Table,
  { predictions, features, past }: RowPredictions,
  rows: readonly number[],
): FeatureContributions {
  const { link, local, columns, width } = learner;
  const baseValue = local.reduce((sum, { mean }) => sum + mean, 0) / local.length;
  const sources = inputSources(pipeline);
  const own: FeatureSource[] = [
    { feature: columns[0]!, kind: "level", detail: "level of the series" },
    { feature: pipeline.target, kind: "level", detail: null },
    { feature: pipeline.target, kind: "season", detail: null },
  ];
  const { groups, places: groupOf } = groupSources([...own, ...sources]);
  const chosen = takeRows(table, rows);
  const index = indexSeries(chosen, columns);
  const values = rows.map((row, at) => {
    const place = places.get(seriesKey(index.values[index.ofRow[at]!]!)) ?? -1;
    const { effects, centers, scale } =
      place >= 0
        ? effectsAt(learner, place)
        : { effects: learner.pooled, centers: learner.typical, scale: 1 };
    const remainder = past!.values[row]!;
    const level = past!.level[row]!;
    const usual = place >= 0 ? local[place]!.mean : level;
    const sums = new Float64Array(groups.length);
    const add = (part: number, value: number) => {
      sums[groupOf[part]!]! += value;
    };
    add(0, usual - baseValue);
    add(1, level - usual);
    add(2, remainder - level);
    const parts = Float64Array.from({ length: width }, (_, i) => {
      const part = effects[i]! * (features!.columns[i]![row]! - centers[i]!);
      return Number.isNaN(part) ? 0 : part;
    });
    const total = parts.reduce((sum, part) => sum + part, 0);
    const made = predictions[row]! - remainder;
    const unit = link === "log" ? (Math.abs(total) > 1e-9 ? made / total : remainder) : scale;
    parts.forEach((part, i) => {
      add(own.length + i, part * unit);
    });
    return settle(sums, predictions[row]! - baseValue);
  });
  return {
    method: "exact",
    scale: "prediction",
    baseValue,
    features: groups.map(({ feature }) => feature),
    kinds: groups.map(({ kind }) => kind),
    details: groups.map(({ detail }) => detail),
    values,
  };
}
