import type { ShownScenario } from "#lib/domain/scenarios/panel/shown-scenarios";
import { alignPanels, type PanelAlignment } from "#lib/engine/panel/align-panels";
import { RunningSum } from "#lib/engine/series/sum";

/** Points of two scenarios with many series, matched by series and time. */
export type PanelPoints = PanelAlignment & {
  /** Time of each point, epoch milliseconds. */
  times: Float64Array;
  /** Whether the series of each point is chosen: 1 or 0. */
  chosen: Uint8Array;
};

/** Matches the rows of the scenarios' panels. Each must have one. */
export function panelPoints(shown: readonly Pick<ShownScenario, "panel">[]): PanelPoints {
  const panels = shown.map(({ panel }) => panel!);
  const aligned = alignPanels(panels.map(({ panel }) => panel));
  const times = new Float64Array(aligned.length);
  const chosen = new Uint8Array(aligned.length);
  panels.forEach(({ panel, chosen: ofSeries }, index) => {
    aligned.rowOf[index]!.forEach((row, point) => {
      if (row === -1) return;
      times[point] = panel.times[panel.timeOf[row]!]!;
      chosen[point] = ofSeries === null ? 1 : ofSeries[panel.ofRow[row]!]!;
    });
  });
  return { ...aligned, times, chosen };
}

type ToSum = {
  /** Points that were split into parts, and their parts. */
  axis: Int32Array;
  values: readonly Float64Array[];
  /** All points, and the difference at one. */
  shown: Int32Array;
  difference(point: number): number;
};

/**
 * Adds the differences of all points and the parts of the split points at each time. If only some points of a time were split,
 * their parts stand for all of them.
 *
 * @param times time of each point
 */
export function sumByTime(
  { axis, values, shown, difference }: ToSum,
  times: Float64Array,
): { times: Float64Array; differences: Float64Array; values: Float64Array[] } {
  const ofTimes = Float64Array.from(new Set(Array.from(shown, (point) => times[point]!))).sort();
  const placeOf = new Map(Array.from(ofTimes, (time, place) => [time, place]));
  const place = (point: number) => placeOf.get(times[point]!)!;
  const sums = (points: Int32Array, valueAt: (point: number, at: number) => number) => {
    const all = Array.from(ofTimes, () => new RunningSum());
    points.forEach((point, at) => void all[place(point)]!.add(valueAt(point, at)));
    return Float64Array.from(all, ({ value }) => value);
  };
  const [counts, splitCounts] = [sums(shown, () => 1), sums(axis, () => 1)];
  return {
    times: ofTimes,
    differences: sums(shown, difference),
    values: values.map((part) =>
      sums(axis, (_, at) => part[at]!).map((sum, time) =>
        splitCounts[time] === 0 ? 0 : (sum * counts[time]!) / splitCounts[time]!,
      ),
    ),
  };
}
