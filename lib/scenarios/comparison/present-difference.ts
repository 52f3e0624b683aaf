import type { Difference, DifferencePart } from "#lib/contract/scenario-differences";
import type { Points } from "#lib/predictions/read-predictions";
import type { Alignment } from "#lib/series/align";
import { downsampleShared } from "#lib/series/downsample";
import { RunningSum } from "#lib/series/sum";
import { wireNumbers } from "#lib/series/summary";
import { rowsBetween } from "#lib/series/window";
import type { ScenarioSplit } from "./split-scenarios.ts";

type Facts = {
  /** Of the baseline and the scenario. */
  stored: readonly Points[];
  alignment: Alignment;
  /** Points of the alignment that both have. */
  common: Int32Array;
  split: ScenarioSplit;
};

const POINTS_DEFAULT = 1_000;
/** Sums in another order differ by far less than this share of the predictions. */
const ROUNDING = 1e-9;

/** A split as it is sent: the stretch that is asked for, thinned out to so many points. Parts add up to the whole. */
export function presentDifference(
  { stored, alignment, common, split }: Facts,
  { maxPoints = POINTS_DEFAULT, from, to }: { maxPoints?: number; from?: number; to?: number },
): Omit<Difference, "scenarioId" | "baselineId"> {
  const { timestamps, length, rowOf } = alignment;
  const { start, end } = rowsBetween(timestamps, length, from, to);
  const isShown = (point: number) => point >= start && point < end;
  const value = (side: number, point: number) => stored[side]!.prediction[rowOf[side]![point]!]!;
  const shown = common.filter(isShown);
  const [before, after] = [0, 1].map((side) =>
    sumOf(Float64Array.from(shown, (point) => value(side, point))),
  );
  // With nothing split, all points are left over.
  const points = split.method === "none" ? Int32Array.from(common.keys()) : split.points;
  const places = Int32Array.from(points.keys()).filter((place) => isShown(common[points[place]!]!));
  const axis = Int32Array.from(places, (place) => common[points[place]!]!);
  const differences = Float64Array.from(axis, (point) => value(1, point) - value(0, point));
  const values = split.parts.map((part) => Float64Array.from(places, (place) => part[place]!));
  const rest = settlePoints(
    values,
    differences,
    axis.map((point) => Math.abs(value(0, point))),
  );
  const totalDifference = sumOf(Float64Array.from(shown, (point) => value(1, point) - value(0, point)));
  const scale = axis.length === 0 ? 0 : shown.length / axis.length;
  const totals = values.map((part) => sumOf(part) * scale);
  let restTotal = totalDifference - sumOf(Float64Array.from(totals));
  const hasRest = rest.some((one) => one !== 0) || scale !== 1;
  if (!hasRest && totals.length > 0) {
    totals[largest(totals)]! += restTotal;
    restTotal = 0;
  }
  const kept = downsampleShared([differences], maxPoints);
  const parts = split.parts
    .map((_, index): DifferencePart => {
      const { kind, feature, projectId } = split.players[index]!;
      return { kind, feature, projectId, total: totals[index]!, values: wireNumbers(values[index]!, kept) };
    })
    .sort((a, b) => Math.abs(b.total) - Math.abs(a.total));
  if (hasRest || (parts.length === 0 && restTotal !== 0)) {
    const nothing = { feature: null, projectId: null };
    parts.push({ kind: "unexplained", ...nothing, total: restTotal, values: wireNumbers(rest, kept) });
  }
  return {
    method: split.method,
    commonRows: shown.length,
    splitRows: split.method === "none" ? 0 : axis.length,
    onlyInBaseline: countOnly(alignment, 0, { start, end }),
    onlyInScenario: countOnly(alignment, 1, { start, end }),
    baselineTotal: before!,
    scenarioTotal: after!,
    totalDifference,
    parts,
    ...(timestamps === null
      ? { rows: Array.from(kept, (at) => axis[at]! + 1) }
      : { timestamps: Array.from(kept, (at) => new Date(timestamps[axis[at]!]!).toISOString()) }),
    differences: wireNumbers(differences, kept),
  };
}

/**
 * What the parts leave over at each point. Rounding is given to the largest part; the rest is what the models would
 * predict differently today, because the data that they look back at has changed since.
 */
function settlePoints(
  parts: Float64Array[],
  differences: Float64Array,
  sizes: ArrayLike<number>,
): Float64Array {
  return differences.map((difference, point) => {
    const values = parts.map((part) => part[point]!);
    const left = difference - sumOf(Float64Array.from(values));
    const at = largest(values);
    if (at === -1 || Math.abs(left) > ROUNDING * (sizes[point]! + Math.abs(difference))) return left;
    parts[at]![point]! += left;
    return 0;
  });
}

/** Place of the largest by size, -1 of none. */
function largest(values: ArrayLike<number>): number {
  let at = values.length === 0 ? -1 : 0;
  for (let i = 1; i < values.length; i++) if (Math.abs(values[i]!) > Math.abs(values[at]!)) at = i;
  return at;
}

function countOnly(
  { rowOf }: Alignment,
  side: number,
  { start, end }: { start: number; end: number },
): number {
  const [own, other] = side === 0 ? [rowOf[0]!, rowOf[1]!] : [rowOf[1]!, rowOf[0]!];
  let count = 0;
  for (let point = start; point < end; point++) if (own[point]! >= 0 && other[point]! < 0) count++;
  return count;
}

function sumOf(values: ArrayLike<number>): number {
  const sum = new RunningSum();
  for (let i = 0; i < values.length; i++) sum.add(values[i]!);
  return sum.value;
}
