import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { inputSources } from "#lib/engine/inference/feature-sources";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { TrainingCancelled } from "#lib/engine/learners/training-errors";
import { fitLocal } from "#lib/engine/panel-model/local-methods";
import type { PanelLearner, SeriesEffects } from "#lib/engine/panel-model/panel-learner";
import { type EffectPool, effectsOf, poolEffects } from "#lib/engine/panel-model/pool-effects";
import { effectSums, removeEffects } from "#lib/engine/panel-model/remainder";
import { type SeriesEquations, seriesEquations } from "#lib/engine/panel-model/series-equations";
import { fitUnknown } from "#lib/engine/panel-model/unknown-series";
import { findOutliers } from "#lib/engine/series-methods/outliers";
import { isIntermittent } from "#lib/engine/series-methods/tsb";
import { findColumn } from "#lib/engine/table/columns";
import type { ReadColumns } from "./panel-columns.ts";
import type { PanelData } from "./prepare-panel.ts";

/** Maximum number of series that the distribution of effects is estimated from. */
export const SAMPLED_SERIES_MAX = 500;

export type PanelSettings = {
  pipeline: FeaturePipeline;
  columns: ReadColumns;
  link: PanelLearner["link"];
  /** Steps of the shortest season, and of the longest one of the calendar. */
  season: number;
  cycle: number;
  /** Steps of all seasons that the trees see, and of the past that is stored with the model. */
  seasons: readonly number[];
  reach: number;
  /** Whether values that contradict all others are treated as gaps. */
  ignoresOutliers: boolean;
  /** Loss of the trees: squared errors for means, absolute ones for medians. */
  loss: "squared" | "absolute";
  signs: Readonly<Record<string, "increasing" | "decreasing">>;
  seed: number;
  shouldStop: () => boolean;
  /** Reports the part of the series that is done. */
  report: (fraction: number) => void;
};

/** A learner, its pool of effects, and the remainders of each series by grid cell from its first row. */
export type FittedPanel = {
  learner: PanelLearner;
  pool: EffectPool;
  /** Grid index of the first value of each series' remainders. */
  remainders: { values: Float64Array; firstIndex: number }[];
};

/**
 * Fits effects and local methods to the rows before a grid index. A series without such rows gets the effects of a typical
 * one. The trees are fitted later.
 *
 * @throws TrainingCancelled
 */
export function fitPanelLearner(data: PanelData, until: number, settings: PanelSettings): FittedPanel {
  const { pipeline, link, seed } = settings;
  const count = data.index.values.length;
  const width = inputSources(pipeline).length;
  const known = Array.from({ length: count }, (_, place) => rowsBefore(data, place, until));
  const usable = Int32Array.from(known.keys()).filter((place) => known[place]!.to > known[place]!.from);
  const sampled = seededRandom(seed).sample(usable.length, Math.min(SAMPLED_SERIES_MAX, usable.length));
  const equations = new Map<number, SeriesEquations>();
  for (const at of sampled) {
    const place = usable[at]!;
    equations.set(place, equationsOf(data, known[place]!, settings).equations);
  }
  const pool = poolEffects([...equations.values()], width, signsOf(pipeline, settings.signs));
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
  for (let place = 0; place < count; place++) {
    if (place % 16 === 0) {
      if (settings.shouldStop()) throw new TrainingCancelled();
      settings.report(place / count);
    }
    const fitted = fitSeries(data, known[place]!, { settings, pool });
    learner.effects.set(fitted.effects, place * width);
    learner.centers.set(fitted.centers, place * width);
    learner.scales[place] = fitted.scale;
    learner.errors[place] = fitted.error;
    learner.local.push(fitted.local);
    remainders.push(fitted.remainders);
  }
  learner.typical = typicalCenters(learner, pipeline);
  learner.unknown = unknownOf(data, learner, usable);
  return { learner, pool, remainders };
}

type Rows = { from: number; to: number };

/** Returns the rows of a series before a grid index. */
export function rowsBefore({ starts, cells }: PanelData, place: number, until: number): Rows {
  const from = starts[place]!;
  let to = starts[place + 1]!;
  while (to > from && cells[to - 1]! >= until) to--;
  return { from, to };
}

/** Returns the equations of a series and the means of its model inputs. */
function equationsOf(data: PanelData, { from, to }: Rows, { columns: read, link, cycle }: PanelSettings) {
  const raw = read(from, to);
  const centers = Float64Array.from(raw, meanOf);
  const columns = raw.map((column, at) => {
    const center = centers[at]!;
    return Float64Array.from(column, (value) => (Number.isNaN(value) ? 0 : value - center));
  });
  const targets = data.targets.subarray(from, to);
  const scale = scaleOf(targets, link);
  const rows = {
    columns,
    targets: targets.map((value) => value / scale),
    indexes: Float64Array.from(data.cells.subarray(from, to)),
  };
  return { equations: seriesEquations(rows, link, cycle), raw, centers, scale };
}

/** Returns the size of a series: its mean, or its deviation from the mean if values can be negative. */
function scaleOf(targets: Float64Array, link: PanelLearner["link"]): number {
  const mean = targets.reduce((sum, value) => sum + value, 0) / (targets.length || 1);
  const center = link === "log" ? 0 : mean;
  const size = targets.reduce((sum, value) => sum + Math.abs(value - center), 0) / (targets.length || 1);
  return size > 0 ? size : Math.abs(mean) || 1;
}

function fitSeries(
  data: PanelData,
  rows: Rows,
  { settings, pool }: { settings: PanelSettings; pool: EffectPool },
): SeriesEffects & {
  local: PanelLearner["local"][number];
  error: number;
  remainders: FittedPanel["remainders"][number];
} {
  const { link, season } = settings;
  if (rows.to === rows.from) {
    const remainders = { values: new Float64Array(), firstIndex: data.first };
    const centers = new Float64Array(pool.means.length).fill(Number.NaN);
    return { effects: pool.means, centers, scale: 1, local: { methods: [], mean: 0 }, error: 1, remainders };
  }
  const { equations, raw, centers, scale } = equationsOf(data, rows, settings);
  const own: SeriesEffects = { effects: effectsOf(equations, pool), centers, scale };
  const sums = effectSums(own, raw, rows.to - rows.from);
  const firstIndex = data.cells[rows.from]!;
  const values = new Float64Array(data.cells[rows.to - 1]! - firstIndex + 1).fill(Number.NaN);
  for (let row = rows.from; row < rows.to; row++)
    values[data.cells[row]! - firstIndex] = removeEffects(
      link,
      data.targets[row]!,
      sums[row - rows.from]!,
      scale,
    );
  const ignored = settings.ignoresOutliers && !isIntermittent(values) ? findOutliers(values, season) : [];
  for (const at of ignored) values[at] = Number.NaN;
  const local = fitLocal(values, firstIndex, season);
  return {
    ...own,
    local: ignored.length > 0 ? { ...local, ignored: ignored.map((at) => firstIndex + at) } : local,
    error: meanChange(values) || 0.1 * scale,
    remainders: { values, firstIndex },
  };
}

/** Returns the mean absolute change from one known value to the next. */
function meanChange(values: Float64Array): number {
  let [sum, count, last] = [0, 0, Number.NaN];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (!Number.isNaN(last)) {
      sum += Math.abs(value - last);
      count++;
    }
    last = value;
  }
  return count > 0 ? sum / count : 0;
}

/** Returns the mean of the values present; NaN without any. */
function meanOf(values: Float32Array): number {
  let [sum, count] = [0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return sum / count;
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
 * series without known rows has no mean of its own.
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
