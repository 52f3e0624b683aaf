import { createGrid } from "#lib/engine/features/grid";
import { trainGradientBoosting } from "#lib/engine/learners/gradient-boosting";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import {
  calendarReader,
  codesOf,
  type FeaturePlan,
  featureCount,
  featureWriter,
  planFeatures,
} from "#lib/engine/panel-model/global-features";
import type { GlobalTrees } from "#lib/engine/panel-model/panel-learner";
import { findColumn } from "#lib/engine/table/columns";
import type { FittedPanel, PanelSettings } from "./fit-panel-learner.ts";
import type { PanelData } from "./prepare-panel.ts";

/** Maximum number of features of all rows together. */
const CELLS_MAX = 1_500_000;
/** Steps ahead that one origin gives rows for. */
const STEPS_PER_ORIGIN = 4;
/** Minimum number of rows. With fewer, trees would learn chance. */
const ROWS_MIN = 500;
/** Largest deviation from the local forecast that counts, in scales. */
const TARGET_MAX = 5;
const CATEGORIES_MAX = 255;
const BOOSTING = { rounds: 200, learningRate: 0.05, maxLeaves: 15, subsample: 0.7, colsample: 0.7, l2: 1 };

/** Returns the plan of the features of trees. */
export function planGlobal(
  data: PanelData,
  { learner }: FittedPanel,
  { season, seasons, reach }: { season: number; seasons: readonly number[]; reach: number },
): FeaturePlan {
  const categories = [...data.index.columns, ...data.levels].flatMap((name) => {
    const column = findColumn(data.table, name);
    if (column?.type !== "category" || column.categories.length > CATEGORIES_MAX) return [];
    const sums = new Map<string, { sum: number; count: number }>();
    data.index.values.forEach((_, place) => {
      const text = column.categories[column.codes[data.starts[place]!]!] ?? "";
      const found = sums.get(text) ?? { sum: 0, count: 0 };
      sums.set(text, { sum: found.sum + learner.local[place]!.mean, count: found.count + 1 });
    });
    const values = [...sums].sort(([a, x], [b, y]) => x.sum / x.count - y.sum / y.count || (a < b ? -1 : 1));
    return values.length > 1 ? [{ column: name, values: values.map(([text]) => text) }] : [];
  });
  return planFeatures({ season, seasons, horizon: data.horizon, times: data.distinct, categories, reach });
}

/** Returns the categories of a series as codes. */
export function codesAt(data: PanelData, plan: FeaturePlan, place: number): Float32Array {
  return codesOf(plan, (name) => {
    const column = findColumn(data.table, name);
    return column?.type === "category" ? (column.categories[column.codes[data.starts[place]!]!] ?? "") : "";
  });
}

/**
 * Trains trees on the deviations of remainders from their recent level, in scales of the recent values, over sampled
 * series, origins and steps before a grid index. Returns null with too few rows.
 *
 * @throws TrainingCancelled
 */
export function fitGlobal(
  data: PanelData,
  { learner, remainders }: FittedPanel,
  plan: FeaturePlan,
  { seed, shouldStop, pipeline, report, loss }: PanelSettings,
): GlobalTrees | null {
  const random = seededRandom(seed + 17);
  const width = featureCount(plan);
  const { timeAt } = createGrid(data.grid);
  const calendar = calendarReader(plan, pipeline.timezone);
  const first = 2 * plan.windows[0]!;
  const usable = [...remainders.keys()].filter((place) => remainders[place]!.values.length > first + 1);
  const most = Math.floor(CELLS_MAX / width);
  const origins = Math.max(1, Math.ceil(most / STEPS_PER_ORIGIN / Math.max(1, usable.length)));
  const chosen =
    usable.length * STEPS_PER_ORIGIN > most
      ? Array.from(random.sample(usable.length, Math.floor(most / STEPS_PER_ORIGIN)), (at) => usable[at]!)
      : usable;
  const columns = Array.from({ length: width }, () => new Float32Array(most));
  const target = new Float64Array(most);
  let rows = 0;
  for (const place of chosen) {
    const observed = remainders[place]!;
    const { values, firstIndex } = observed;
    const span = values.length - first;
    const picked = random.sample(span, Math.min(span, origins));
    const cells = Array.from(picked).flatMap((at) => {
      const origin = firstIndex + first + at;
      const ahead = Math.min(data.horizon, firstIndex + values.length - origin);
      return Array.from(random.sample(ahead, Math.min(ahead, STEPS_PER_ORIGIN)), (step) => ({
        origin,
        index: origin + step,
      }));
    });
    const write = featureWriter(
      plan,
      { observed, scale: learner.scales[place]!, codes: codesAt(data, plan, place) },
      calendar,
    );
    cells.forEach(({ origin, index }) => {
      const value = values[index - firstIndex]!;
      if (rows >= most || Number.isNaN(value)) return;
      const { level, scale } = write({ index, origin, instant: timeAt(index) }, columns, rows);
      const deviation = (value - level) / scale;
      target[rows++] = Math.max(-TARGET_MAX, Math.min(TARGET_MAX, deviation));
    });
  }
  if (rows < ROWS_MIN) return null;
  const { ensemble } = trainGradientBoosting(
    columns.map((column) => column.subarray(0, rows)),
    target.subarray(0, rows),
    { ...BOOSTING, minLeaf: Math.max(20, Math.floor(rows / 500)), seed, loss },
    { shouldStop, onProgress: report },
  );
  return { ...plan, ensemble };
}
