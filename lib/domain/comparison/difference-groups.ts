import type { ChosenPanel } from "#lib/domain/scenarios/panel/shown-scenarios";
import { groupSeries, rankGroups } from "#lib/engine/panel/group-series";
import { RunningSum } from "#lib/engine/series/sum";
import type { PanelPoints } from "./panel-points.ts";

// Groups of series split a difference, too: "−12,300 in total: −9,800 in the south, with −9,100 from promo". Each point
// belongs to one group, so the sums of the groups are the sums of all points.

/** Groups of the points of two scenarios. */
export type PointGroups = {
  /** Values of the grouping columns of each group. */
  values: string[][];
  /** Number of series of each group. */
  sizes: Int32Array;
  /** Group of each point; -1 for one of a series that is not chosen. */
  ofPoint: Int32Array;
};

/** Groups the points by the values of columns, which both panels have. */
export function groupPoints(
  panels: readonly ChosenPanel[],
  { rowOf, length }: Pick<PanelPoints, "rowOf" | "length">,
  by: readonly string[],
): PointGroups {
  const { values, sizes, groupOf } = groupSeries(panels, by);
  const ofPoint = new Int32Array(length).fill(-1);
  panels.forEach(({ panel }, side) => {
    rowOf[side]!.forEach((row, point) => {
      if (row !== -1) ofPoint[point] = groupOf[side]![panel.ofRow[row]!]!;
    });
  });
  return { values, sizes, ofPoint };
}

type ToSplit = {
  /** Points whose difference is explained. */
  shown: Int32Array;
  baseline(point: number): number;
  scenario(point: number): number;
  /** Points that were split, and their parts. */
  axis: Int32Array;
  parts: readonly Float64Array[];
  /** Factor from the split points to all of them. */
  scale: number;
  /** Whether what the parts leave is unexplained. Otherwise it is rounding, which the largest part takes. */
  hasRest: boolean;
  /** Change by overrides at a point of `shown`, beside the parts; null without overrides. */
  moved?: ((point: number) => number) | null;
};

/** Sums of a group. `rest` is the unexplained part of its difference. */
export type GroupDifference = {
  group: number;
  rows: number;
  baseline: number;
  scenario: number;
  difference: number;
  parts: number[];
  /** Part of the overrides, if there are any. */
  overrides?: number;
  rest: number;
};

/** Returns the differences of groups and their parts, in descending order of their absolute differences. */
export function splitByGroup(
  { values, ofPoint }: PointGroups,
  { shown, baseline, scenario, axis, parts, scale, hasRest, moved = null }: ToSplit,
): GroupDifference[] {
  const sums = (points: Int32Array, valueAt: (point: number, at: number) => number) => {
    const all = values.map(() => new RunningSum());
    points.forEach((point, at) => void all[ofPoint[point]!]!.add(valueAt(point, at)));
    return Float64Array.from(all, ({ value }) => value);
  };
  const rows = sums(shown, () => 1);
  const [before, after] = [sums(shown, baseline), sums(shown, scenario)];
  const differences = sums(shown, (point) => scenario(point) - baseline(point));
  const ofOverrides = moved && sums(shown, moved);
  const ofParts = parts.map((part) => sums(axis, (_, at) => part[at]!).map((sum) => sum * scale));
  return Array.from(rankGroups(values, differences), (group) => {
    const own = ofParts.map((part) => part[group]!);
    const difference = differences[group]!;
    const overrides = ofOverrides && ofOverrides[group]!;
    const rest = difference - own.reduce((sum, part) => sum + part, overrides ?? 0);
    if (!hasRest && own.length > 0) own[largest(own)]! += rest;
    return {
      group,
      rows: rows[group]!,
      baseline: before[group]!,
      scenario: after[group]!,
      difference,
      parts: own,
      ...(overrides !== null && { overrides }),
      rest: hasRest ? rest : 0,
    };
  }).filter((one) => one.rows > 0);
}

const largest = (values: readonly number[]) =>
  values.reduce((most, value, at) => (Math.abs(value) > Math.abs(values[most]!) ? at : most), 0);
