import { fitLocal } from "#lib/engine/panel-model/local-methods";
import type { LocalMethods, PanelLearner, SeriesEffects } from "#lib/engine/panel-model/panel-learner";
import { type EffectPool, effectsOf } from "#lib/engine/panel-model/pool-effects";
import { effectSums, removeEffects } from "#lib/engine/panel-model/remainder";
import { seriesEquations } from "#lib/engine/panel-model/series-equations";
import { findOutliers } from "#lib/engine/series-methods/outliers";
import { isIntermittent } from "#lib/engine/series-methods/tsb";
import type { ReadColumns } from "./panel-columns.ts";
import type { PanelData } from "./prepare-panel.ts";

/** Rows of series, as far as the fit of a single series needs them. */
export type SeriesRows = Pick<PanelData, "starts" | "targets" | "cells" | "first">;

export type SeriesSettings = {
  columns: ReadColumns;
  link: PanelLearner["link"];
  /** Steps of the shortest season, and of the longest one of the calendar. */
  season: number;
  cycle: number;
  /** Whether values that contradict all others are treated as gaps. */
  ignoresOutliers: boolean;
};

/** The part of a learner that belongs to one series, and the remainders of the series by grid cell from its first row. */
export type SeriesFit = SeriesEffects & {
  local: LocalMethods;
  error: number;
  remainders: { values: Float64Array; firstIndex: number };
};

type Rows = { from: number; to: number };

/** Returns the rows of a series before a grid index. */
export function rowsBefore(
  { starts, cells }: Pick<SeriesRows, "starts" | "cells">,
  place: number,
  until: number,
): Rows {
  const from = starts[place]!;
  let to = starts[place + 1]!;
  while (to > from && cells[to - 1]! >= until) to--;
  return { from, to };
}

/** Returns the equations of a series and the means of its model inputs. */
export function equationsOf(
  data: SeriesRows,
  { from, to }: Rows,
  { columns: read, link, cycle }: SeriesSettings,
) {
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

/** Fits the effects and the local methods of a series to its rows before a grid index. Of other series it reads only the pool of effects. */
export function fitSeries(
  data: SeriesRows,
  place: number,
  { until, settings, pool }: { until: number; settings: SeriesSettings; pool: EffectPool },
): SeriesFit {
  const rows = rowsBefore(data, place, until);
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
