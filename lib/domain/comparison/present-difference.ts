import type { Difference, DifferencePart } from "#lib/contract/scenario-differences";
import type { Rows } from "#lib/domain/scenarios/chunks/read-series";
import { onScale } from "#lib/engine/explanation/prediction-scale";
import type { Alignment } from "#lib/engine/series/align";
import { CHART_POINTS, downsampleShared } from "#lib/engine/series/downsample";
import { RunningSum } from "#lib/engine/series/sum";
import { wireNumbers } from "#lib/engine/series/summary";
import { rowsBetween } from "#lib/engine/series/window";
import { type GroupDifference, type PointGroups, splitByGroup } from "./difference-groups.ts";
import { type PanelPoints, sumByTime } from "./panel-points.ts";
import { type StoredPair, sharedPoints } from "./shared-points.ts";
import type { ScenarioSplit } from "./split-scenarios.ts";

type PresentedSplit = {
  /** Predictions of the baseline and of the scenario. */
  stored: StoredPair;
  /** The same with overrides; null if neither scenario has any. */
  effective?: StoredPair | null;
  /** Points of scenarios with many series, which are presented as sums at each time. */
  panel?: PanelPoints | null;
  /** Groups of the points, and the page of them to return. */
  grouped?: { groups: PointGroups; after: number; limit: number } | null;
  split: ScenarioSplit;
  window: { maxPoints?: number; from?: number; to?: number };
};

type PresentedGroup = Omit<NonNullable<Difference["groups"]>[number], "values" | "seriesCount"> & {
  /** Place in the groups. */
  group: number;
};

type PresentedDifference = Omit<Difference, "scenarioId" | "baselineId" | "groups"> & {
  /** Rows of the baseline and of the scenario in the range; null unless they lie at the same points, in order. */
  spans: [Rows, Rows] | null;
  /** Page of the groups, and the number of all that have rows; null without groups. */
  grouped: { page: PresentedGroup[]; count: number } | null;
};

/** Rounding tolerance: sums in a different order differ by far less than this share of the predictions. */
const ROUNDING = 1e-9;

/** Presents a split for the API: the requested range, downsampled to `maxPoints`. The parts add up to the difference. */
export async function presentDifference({
  stored,
  effective = null,
  panel = null,
  grouped = null,
  split,
  window: { maxPoints = CHART_POINTS, from, to },
}: PresentedSplit): Promise<PresentedDifference> {
  const { alignment, common } = sharedPoints(stored, panel);
  const { timestamps, length, rowOf } = alignment;
  const { start, end } = rowsBetween(timestamps, length, panel ? undefined : from, panel ? undefined : to);
  const [least, most] = [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY];
  const isShown = (point: number) =>
    panel
      ? panel.chosen[point] === 1 && panel.times[point]! >= least && panel.times[point]! <= most
      : point >= start && point < end;
  const valuesOf = (pair: StoredPair) => {
    const predicted = pair.map(({ prediction }) => onScale(split.scale, prediction));
    return (side: number, point: number) => predicted[side]![rowOf[side]![point]!]!;
  };
  const value = valuesOf(stored);
  const shownValue = effective ? valuesOf(effective) : value;
  const shown = common.filter(isShown);
  const difference = (point: number) => value(1, point) - value(0, point);
  // Change of the difference at a point by overrides.
  const moved = (point: number) => shownValue(1, point) - shownValue(0, point) - difference(point);
  const { axis, differences: ofSplit, values, rest } = partsAt({ common, shown, isShown, value }, split);
  const calculatedDifference = sumAt(shown, difference);
  const scale = axis.length === 0 ? 0 : shown.length / axis.length;
  const totals = values.map((part) => sumOf(part) * scale);
  let restTotal = calculatedDifference - sumOf(totals);
  const hasRest = shown.length > 0 && (rest.some((one) => one !== 0) || scale !== 1);
  if (!hasRest && totals.length > 0) {
    totals[largest(totals)]! += restTotal;
    restTotal = 0;
  }
  const inGroups =
    grouped &&
    splitByGroup(grouped.groups, {
      shown,
      baseline: (point) => shownValue(0, point),
      scenario: (point) => shownValue(1, point),
      axis,
      parts: values,
      scale,
      hasRest,
      moved: effective && moved,
    });
  const sums = panel && sumByTime({ axis, values, shown, difference }, panel.times);
  const drawn = sums ?? { differences: ofSplit, values };
  const drawnRest = sums
    ? addRoundingTo(sums.values, sums.differences, sums.differences.map(Math.abs))
    : rest;
  const overrides =
    effective &&
    (panel && sums
      ? sumByTime({ axis: shown, values: [], shown, difference: moved }, panel.times).differences
      : valuesAt(axis, moved));
  const differences = overrides
    ? drawn.differences.map((one, at) => one + overrides[at]!)
    : drawn.differences;
  const kept = downsampleShared([differences], maxPoints);
  const nothing = { feature: null, projectId: null };
  const parts = values.map((_, index): DifferencePart => {
    const player = split.players[index]!;
    return { ...player, total: totals[index]!, values: wireNumbers(drawn.values[index]!, kept) };
  });
  if (overrides)
    parts.push({
      kind: "overrides",
      ...nothing,
      total: sumAt(shown, moved),
      values: wireNumbers(overrides, kept),
    });
  parts.sort((a, b) => Math.abs(b.total) - Math.abs(a.total));
  if (hasRest) {
    parts.push({ kind: "unexplained", ...nothing, total: restTotal, values: wireNumbers(drawnRest, kept) });
  }
  const onlyInBaseline = countOnly(alignment, 0, isShown);
  const onlyInScenario = countOnly(alignment, 1, isShown);
  return {
    // Stored totals are on the scale of the predictions.
    spans:
      panel === null && onlyInBaseline + onlyInScenario === 0 && split.scale === "prediction"
        ? spansOf(alignment, shown)
        : null,
    grouped: inGroups && {
      page: inGroups
        .slice(grouped!.after, grouped!.after + grouped!.limit)
        .map((one) => presentGroup(one, split.players)),
      count: inGroups.length,
    },
    method: split.method,
    scale: split.scale,
    commonRows: shown.length,
    splitRows: split.method === "none" ? 0 : axis.length,
    onlyInBaseline,
    onlyInScenario,
    baselineTotal: sumAt(shown, (point) => shownValue(0, point)),
    scenarioTotal: sumAt(shown, (point) => shownValue(1, point)),
    totalDifference: effective
      ? sumAt(shown, (point) => shownValue(1, point) - shownValue(0, point))
      : calculatedDifference,
    parts,
    ...placesOf(kept, { axis, timestamps, sums }),
    differences: wireNumbers(differences, kept),
  };
}

function presentGroup(
  { group, rows, baseline, scenario, difference, parts, overrides, rest }: GroupDifference,
  players: ScenarioSplit["players"],
): PresentedGroup {
  const nothing = { feature: null, projectId: null };
  const moved = overrides === undefined ? [] : [{ kind: "overrides" as const, ...nothing, total: overrides }];
  const named = [...parts.map((total, index) => ({ ...players[index]!, total })), ...moved];
  const unexplained = { kind: "unexplained" as const, ...nothing, total: rest };
  return {
    group,
    commonRows: rows,
    baselineTotal: baseline,
    scenarioTotal: scenario,
    totalDifference: difference,
    parts: [...named.sort((a, b) => Math.abs(b.total) - Math.abs(a.total)), unexplained].filter(
      ({ total }) => total !== 0,
    ),
  };
}

/** Returns the row number or the time of each kept point. */
function placesOf(
  kept: Int32Array,
  {
    axis,
    timestamps,
    sums,
  }: { axis: Int32Array; timestamps: Float64Array | null; sums: { times: Float64Array } | null },
) {
  if (sums === null && timestamps === null) return { rows: Array.from(kept, (at) => axis[at]! + 1) };
  const timeOf = (at: number) => sums?.times[at] ?? timestamps![axis[at]!]!;
  return { timestamps: Array.from(kept, (at) => new Date(timeOf(at)).toISOString()) };
}

type Shown = {
  common: Int32Array;
  /** The common points within the requested range. */
  shown: Int32Array;
  isShown(point: number): boolean;
  value(side: number, point: number): number;
};

type Parts = {
  /** Points of the alignment that were split. */
  axis: Int32Array;
  differences: Float64Array;
  /** Contributions of each player. */
  values: Float64Array[];
  /** The unexplained rest. */
  rest: Float64Array;
};

function partsAt(
  { common, shown, isShown, value }: Shown,
  { method, players, points, parts }: ScenarioSplit,
): Parts {
  const difference = (point: number) => value(1, point) - value(0, point);
  if (method === "none" || players.length <= 1) {
    // Without a player, everything is unexplained. A single player explains everything.
    const differences = valuesAt(shown, difference);
    const values = method === "none" ? [] : players.map(() => differences);
    const rest = values.length > 0 ? new Float64Array(shown.length) : differences;
    return { axis: shown, differences, values, rest };
  }
  const places = Int32Array.from(points.keys()).filter((place) => isShown(common[points[place]!]!));
  const axis = places.map((place) => common[points[place]!]!);
  const differences = valuesAt(axis, difference);
  const values = parts.map((part) => valuesAt(places, (place) => part[place]!));
  const sizes = valuesAt(axis, (point) => Math.abs(value(0, point)));
  return { axis, differences, values, rest: addRoundingTo(values, differences, sizes) };
}

/**
 * Adds the rounding difference of each point to its largest part, and returns the unexplained rest. A larger rest means
 * that the models would predict different values today, because the data that they look back at has changed.
 */
function addRoundingTo(parts: Float64Array[], differences: Float64Array, sizes: Float64Array): Float64Array {
  return differences.map((difference, point) => {
    const values = parts.map((part) => part[point]!);
    const left = difference - sumOf(values);
    const at = largest(values);
    if (at === -1 || Math.abs(left) > ROUNDING * (sizes[point]! + Math.abs(difference))) return left;
    parts[at]![point]! += left;
    return 0;
  });
}

/** Returns the index of the largest absolute value; -1 for an empty list. */
function largest(values: ArrayLike<number>): number {
  let at = values.length === 0 ? -1 : 0;
  for (let i = 1; i < values.length; i++) if (Math.abs(values[i]!) > Math.abs(values[at]!)) at = i;
  return at;
}

function spansOf({ rowOf }: Alignment, shown: Int32Array): [Rows, Rows] | null {
  const [baseline, scenario] = [0, 1].map((side) => {
    const [from, last] = [rowOf[side]![shown[0]!], rowOf[side]![shown.at(-1)!]];
    return last! - from! + 1 === shown.length ? { from: from!, to: last! + 1 } : null;
  });
  return baseline && scenario ? [baseline, scenario] : null;
}

function countOnly({ rowOf, length }: Alignment, side: number, isShown: (point: number) => boolean): number {
  const [own, other] = side === 0 ? [rowOf[0]!, rowOf[1]!] : [rowOf[1]!, rowOf[0]!];
  let count = 0;
  for (let point = 0; point < length; point++)
    if (own[point]! >= 0 && other[point]! < 0 && isShown(point)) count++;
  return count;
}

function valuesAt(points: Int32Array, valueAt: (point: number) => number): Float64Array {
  const values = new Float64Array(points.length);
  for (let i = 0; i < points.length; i++) values[i] = valueAt(points[i]!);
  return values;
}

function sumAt(points: Int32Array, valueAt: (point: number) => number): number {
  const sum = new RunningSum();
  for (let i = 0; i < points.length; i++) sum.add(valueAt(points[i]!));
  return sum.value;
}

function sumOf(values: ArrayLike<number>): number {
  const sum = new RunningSum();
  for (let i = 0; i < values.length; i++) sum.add(values[i]!);
  return sum.value;
}
