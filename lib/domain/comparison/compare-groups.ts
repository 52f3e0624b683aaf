import { setImmediate as nextTick } from "node:timers/promises";
import type { ComparedGroups } from "#lib/contract/series-groups";
import type { AtLevels } from "#lib/domain/scenarios/chart-window";
import { type Bounds, boundsOfRows } from "#lib/domain/scenarios/chunks/read-predictions";
import { effectiveBoundsAt } from "#lib/domain/scenarios/panel/effective-series";
import type { GroupPage } from "#lib/domain/scenarios/panel/resolve-series";
import {
  type ChosenPanel,
  combineGroups,
  readSumBounds,
  rowsOfCombined,
  type ShownScenario,
} from "#lib/domain/scenarios/panel/shown-scenarios";
import { pointBounds } from "#lib/engine/intervals/point-bounds";
import { groupSeries, rankGroups } from "#lib/engine/panel/group-series";
import { meansOfGroups } from "#lib/engine/panel/mean-series";
import { totalsOfGroups } from "#lib/engine/panel/sum-series";
import type { ComparedScenarios, CompareOptions } from "#lib/engine/series/compare-scenarios";
import { presentSeries } from "#lib/engine/series/present-series";
import { summarize, wireNumber } from "#lib/engine/series/summary";
import type { Context } from "#lib/platform/context/context";
import { runComparison } from "./series-tasks.ts";

const GROUPS_DEFAULT = 50;
const GROUPS_MAX = 1_000;
/** Maximum number of sums of a page of several groups, at all times and for all scenarios: 40 MB. */
const SUMS_MAX = 5_000_000;

type ToGroup = AtLevels & {
  /** Columns to group by. */
  by: readonly string[];
  shown: readonly ShownScenario[];
  baselineId: string;
  /** Comparison of the totals, and its options. The groups are compared at the same points. */
  compared: ComparedScenarios;
  options: CompareOptions;
  page: GroupPage;
};

/**
 * Compares scenarios group by group: a page of the groups, in descending order of their absolute totals in the baseline. Each
 * group lies on the axis of the totals, so that its values add up to theirs at every point.
 *
 * @returns the page, which holds at most `limit` groups and fewer if they have many times, and the number of groups up to its end
 *   if more follow
 */
export async function compareGroups(
  ctx: Context,
  { by, shown, baselineId, compared, options, page, levels }: ToGroup,
): Promise<{ groups: ComparedGroups; next: number | null }> {
  const panels = shown.map(({ panel }) => panel!);
  const all = groupSeries(panels, by);
  const base = shown.findIndex(({ row }) => row.name === baselineId);
  const range = rangeOf(compared, options);
  const ranked = rankGroups(
    all.values,
    totalsOf(panels[base]!, all.groupOf[base]!, all.values.length, range),
  );
  const after = page.after ?? 0;
  const limit = Math.min(page.limit ?? GROUPS_DEFAULT, GROUPS_MAX, groupsThatFit(panels));
  const asked = ranked.subarray(after, after + limit);
  const place = new Int32Array(all.values.length).fill(-1);
  asked.forEach((group, at) => {
    place[group] = at;
  });
  const groupOf = all.groupOf.map((own) => own.map((group) => (group === -1 ? -1 : place[group]!)));
  const sums = panels.map((panel, index) => combineGroups(panel, groupOf[index]!, asked.length));
  const means = panels[base]!.mean
    ? panels.map((panel, index) => totalsOf(panel, groupOf[index]!, asked.length, range))
    : null;
  const results: ComparedScenarios[] = [];
  for (const at of asked.keys()) {
    const scenarios = shown.map(({ row, points }, index) => ({
      scenarioId: row.name,
      timestamps: points.timestamps,
      prediction: sums[index]![at]!,
    }));
    const request = { scenarios, baselineId, options: { ...options, points: compared.sent }, actuals: null };
    await nextTick();
    results.push(await runComparison(request, ctx.signal));
  }
  const bounds = await boundsOfGroups(ctx, shown, groupOf, results);
  const aggregate = options.bucket?.aggregate;
  const groups: ComparedGroups = [];
  for (const [at, group] of asked.entries()) {
    await nextTick();
    const result = results[at]!;
    const series = result.series.map(async (one, index) => {
      const shape = shown[index]!.row.scenario.intervals;
      const own = bounds[index]![at]!;
      const { summary } = result.spans[index]!;
      return {
        ...presentSeries(one),
        ...(await pointBounds(result, index, () => own, { levels, shape, aggregate })),
        ...(means === null
          ? { total: (summary ?? summarize(sums[index]![at]!)).sum }
          : meanTotals(means[index]![at]!, means[base]![at]!)),
      };
    });
    groups.push({
      values: Object.fromEntries(by.map((column, index) => [column, all.values[group]![index]!])),
      seriesCount: all.sizes[group]!,
      series: await Promise.all(series),
    });
  }
  const end = after + asked.length;
  return { groups, next: end < ranked.length ? end : null };
}

/** Returns the mean of a group over all times, and its difference from that of the baseline. */
function meanTotals(mean: number, base: number) {
  const difference = mean - base;
  return {
    total: wireNumber(mean),
    totalDifference: wireNumber(difference),
    percentDifference: wireNumber((100 * difference) / Math.abs(base)),
  };
}

type Range = { from: number; to: number };

/** Returns the range that a comparison covers: buckets extend it. */
function rangeOf({ bucketed }: ComparedScenarios, { from, to }: CompareOptions): Range {
  if (bucketed !== null) return { from: Date.parse(bucketed.from ?? ""), to: Date.parse(bucketed.to ?? "") };
  return { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY };
}

function totalsOf(
  { panel, prediction, mean }: ChosenPanel,
  groupOf: Int32Array,
  count: number,
  range: Range,
): Float64Array {
  return mean
    ? meansOfGroups(panel, prediction, groupOf, { count, ...range, ...mean })
    : totalsOfGroups(panel, prediction, groupOf, { count, ...range });
}

/** One group always fits, because its sums take no more memory than the totals. */
function groupsThatFit(panels: readonly ChosenPanel[]): number {
  const times = panels.reduce((sum, { places }) => sum + places.length, 0);
  return Math.max(1, Math.floor(SUMS_MAX / times));
}

/** Reads the bounds of the groups at the points of their results, by scenario and group, as in `boundsOfShown`. */
function boundsOfGroups(
  ctx: Context,
  shown: readonly ShownScenario[],
  groupOf: readonly Int32Array[],
  results: readonly ComparedScenarios[],
): Promise<Bounds[][]> {
  return Promise.all(
    shown.map(async (one, index) => {
      const { row, panel: chosen } = one;
      const rows = rowsOfCombined(chosen!, groupOf[index]!, results.length);
      const points = results.map(({ rowOf }) => rowOf[index]!);
      const width = points[0]?.length ?? 0;
      const asked = Int32Array.from(
        points.flatMap((own, group) =>
          Array.from(own, (point) => (point === -1 ? -1 : rows[group]![point]!)),
        ),
      );
      const { lower, upper, floors } = await effectiveBoundsAt(ctx.db, row.scenario, asked);
      const isSeveral = rows.map((own) => own.every((one) => one === -1));
      const ofSums = isSeveral.includes(true) ? await readSumBounds(ctx, one) : null;
      const sums = ofSums?.(groupOf[index]!, results.length);
      const part = (values: Float64Array | null, group: number) =>
        values === null ? null : values.subarray(group * width, (group + 1) * width);
      return results.map((_, group) =>
        isSeveral[group] && sums
          ? boundsOfRows(sums[group]!, points[group]!)
          : {
              lower: part(lower, group),
              upper: part(upper, group),
              ...(floors && { floors: part(floors, group)! }),
            },
      );
    }),
  );
}
