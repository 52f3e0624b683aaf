import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { inputSources } from "#lib/engine/inference/feature-sources";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import type { PanelLearner } from "#lib/engine/panel-model/panel-learner";
import { type EffectPool, poolEffects } from "#lib/engine/panel-model/pool-effects";
import { fitUnknown } from "#lib/engine/panel-model/unknown-series";
import { findColumn } from "#lib/engine/table/columns";
import { equationsOf, rowsBefore, type SeriesFit, type SeriesSettings } from "./fit-panel-series.ts";
import type { PanelData } from "./prepare-panel.ts";

/** Maximum number of series that the distribution of effects is estimated from. */
export const SAMPLED_SERIES_MAX = 500;
/** Series from one report of progress to the next. */
const REPORTED_SERIES = 16;

export type PanelSettings = SeriesSettings & {
  pipeline: FeaturePipeline;
  /** Steps of all seasons that the trees see, and of the past that is stored with the model. */
  seasons: readonly number[];
  reach: number;
  /** Loss of the trees: squared errors for means, absolute ones for medians. */
  loss: "squared" | "absolute";
  signs: Readonly<Record<string, "increasing" | "decreasing">>;
  seed: number;
  shouldStop: () => boolean;
  /** Reports the part of the work that is done, and the number of fitted series. */
  report: (fraction: number, series?: number) => void;
};

/** A learner, its pool of effects, and the remainders of each series by grid cell from its first row. */
export type FittedPanel = {
  learner: PanelLearner;
  pool: EffectPool;
  /** Grid index of the first value of each series' remainders. */
  remainders: { values: Float64Array; firstIndex: number }[];
};

/** Estimates the distribution of effects from sampled series, by their rows before a grid index. */
export function poolOf(data: PanelData, until: number, settings: PanelSettings): EffectPool {
  const usable = usableSeries(data, until);
  const count = Math.min(SAMPLED_SERIES_MAX, usable.length);
  const sampled = seededRandom(settings.seed).sample(usable.length, count);
  const equations = Array.from(
    sampled,
    (at) => equationsOf(data, rowsBefore(data, usable[at]!, until), settings).equations,
  );
  const { pipeline, signs } = settings;
  return poolEffects(equations, inputSources(pipeline).length, signsOf(pipeline, signs));
}

/** Returns the series with rows before a grid index. */
function usableSeries(data: PanelData, until: number): Int32Array {
  return Int32Array.from(data.index.values.keys()).filter((place) => {
    const { from, to } = rowsBefore(data, place, until);
    return to > from;
  });
}

/**
 * Gathers the fits of all series to their rows before a grid index. A series without such rows gets the effects of a typical
 * one. The trees are fitted later.
 */
export async function gatherPanel(
  data: PanelData,
  until: number,
  { pipeline, link, report }: PanelSettings,
  { pool, fits }: { pool: EffectPool; fits: AsyncIterable<SeriesFit> },
): Promise<FittedPanel> {
  const count = data.index.values.length;
  const width = inputSources(pipeline).length;
  const learner: PanelLearner = {
    kind: "panel",
    link,
    columns: [...data.index.columns],
    values: data.index.values,
    width,
    pooled: pool.means,
    typical: new Float64Array(width),
    effects: new Float64Array(count * width),
    centers: new Float64Array(count * width),
    scales: new Float64Array(count).fill(1),
    errors: new Float64Array(count).fill(1),
    local: [],
    groups: new Int32Array(count),
    weights: [0],
    global: null,
    unknown: { base: 0, parts: [], error: 1 },
  };
  const remainders: FittedPanel["remainders"] = [];
  for await (const fitted of fits) {
    const place = remainders.length;
    if (place % REPORTED_SERIES === 0) report(place / count, place);
    learner.effects.set(fitted.effects, place * width);
    learner.centers.set(fitted.centers, place * width);
    learner.scales[place] = fitted.scale;
    learner.errors[place] = fitted.error;
    learner.local.push(fitted.local);
    remainders.push(fitted.remainders);
  }
  learner.typical = typicalCenters(learner, pipeline);
  learner.unknown = unknownOf(data, learner, usableSeries(data, until));
  return { learner, pool, remainders };
}

/** Returns the signs that the user expects, and which effects may have the sign of most series. */
function signsOf(pipeline: FeaturePipeline, expected: PanelSettings["signs"]) {
  const sources = inputSources(pipeline);
  const signs = new Map(Object.entries(expected));
  return {
    expected: Int8Array.from(sources, ({ feature, kind }) => {
      const sign = kind === "input" ? signs.get(feature) : undefined;
      return sign === undefined ? 0 : sign === "increasing" ? 1 : -1;
    }),
    mayBeSigned: sources.map(({ kind }) => kind === "input"),
  };
}

/**
 * Returns the means of model inputs over series. Numbers other than codes differ from series to series, like prices, so a
 * series without known rows has no such mean.
 */
function typicalCenters({ centers, width }: PanelLearner, pipeline: FeaturePipeline): Float64Array {
  const sources = inputSources(pipeline);
  const scaled = new Set(
    pipeline.steps.flatMap((step) =>
      step.op === "number" && step.center !== undefined ? [step.feature] : [],
    ),
  );
  return Float64Array.from({ length: width }, (_, at) => {
    if (scaled.has(sources[at]!.feature)) return Number.NaN;
    let [sum, count] = [0, 0];
    for (let place = at; place < centers.length; place += width) {
      if (Number.isNaN(centers[place]!)) continue;
      sum += centers[place]!;
      count++;
    }
    return sum / count;
  });
}

function unknownOf(data: PanelData, learner: PanelLearner, usable: Int32Array): PanelLearner["unknown"] {
  const { link, local, scales } = learner;
  const columns = [...data.index.columns, ...data.levels];
  const texts = columns.map((name) => {
    const column = findColumn(data.table, name);
    if (column?.type !== "category") throw new RangeError(`Column "${name}" holds no texts.`);
    return (place: number) => column.categories[column.codes[data.starts[place]!]!] ?? "";
  });
  const places = [...usable];
  const values = places.map((place) => texts.map((textAt) => textAt(place)));
  const levels = Float64Array.from(places, (place) => local[place]!.mean);
  const fitted = fitUnknown(link, columns, values, levels);
  // The level of a new series is uncertain by about as much as levels differ.
  const spread = places.reduce(
    (sum, place, at) => sum + Math.abs(levels[at]! - medianLevel(levels)) / scales[place]!,
    0,
  );
  return { ...fitted, error: Math.max(0.1, spread / (places.length || 1)) };
}

const medianLevel = (levels: Float64Array) => levels.toSorted()[levels.length >> 1] ?? 0;
