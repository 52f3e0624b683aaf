import { niceTicks } from "#components/chart/nice-ticks.ts";
import { type Scale, toX, toY } from "#components/chart/scale.ts";
import type { SensitivityFeature } from "#lib/contract/sensitivity";

/** Height of the whole picture and of the density below the curve, in pixels. */
export const curveHeight = 260;
const densityHeight = 44;
const margin = { left: 58, right: 14, top: 24, bottom: 24 };

type Bar = { x: number; y: number; width: number; height: number };

export type PreparedCurve = {
  scale: Scale;
  xTicks: number[];
  yTicks: number[];
  /** Points of the polyline, without missing means. */
  line: string;
  points: { value: number; mean: number; x: number; y: number }[];
  density: Bar[];
  /** The scenario's own values: least, mean and greatest, in pixels within the picture. */
  own: { from: number; mean: number; to: number } | null;
};

/** Prepares the picture of a response curve; null without a curve. */
export function prepareCurve(
  { curve, density, values }: SensitivityFeature,
  width: number,
): PreparedCurve | null {
  const known = curve?.values.flatMap((value, at) => {
    const mean = curve.means[at]!;
    return mean === null ? [] : [{ value, mean }];
  });
  if (!known?.[0]) return null;
  const [low, high] = [known[0].value, known.at(-1)!.value];
  const x: [number, number] = low === high ? [low - 0.5, high + 0.5] : [low, high];
  const means = known.map(({ mean }) => mean);
  const yTicks = niceTicks(Math.min(...means), Math.max(...means), 4);
  const bottom = curveHeight - margin.bottom - densityHeight;
  const scale: Scale = {
    x,
    y: [yTicks[0]!, yTicks.at(-1)!],
    left: margin.left,
    right: Math.max(margin.left + 1, width - margin.right),
    top: margin.top,
    bottom,
  };
  const points = known.map((one) => ({ ...one, x: toX(scale, one.value), y: toY(scale, one.mean) }));
  const within = (value: number) => toX(scale, Math.min(x[1], Math.max(x[0], value)));
  return {
    scale,
    xTicks: niceTicks(x[0], x[1], width < 480 ? 4 : 6).filter((tick) => tick >= x[0] && tick <= x[1]),
    yTicks,
    line: points.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(" "),
    points,
    density: density ? barsOf(density, scale) : [],
    own: values && { from: within(values.min), mean: within(values.mean), to: within(values.max) },
  };
}

function barsOf({ from, to, counts }: NonNullable<SensitivityFeature["density"]>, scale: Scale): Bar[] {
  const highest = Math.max(1, ...counts);
  const bottom = scale.bottom + densityHeight;
  const step = (to - from) / counts.length;
  return counts.flatMap((count, bin) => {
    if (count === 0) return [];
    const [left, right] =
      step > 0
        ? [toX(scale, from + bin * step), toX(scale, from + (bin + 1) * step)]
        : [toX(scale, from) - 4, toX(scale, from) + 4];
    const height = Math.max(1, (count / highest) * (densityHeight - 8));
    return [{ x: left, y: bottom - height, width: Math.max(1, right - left - 1), height }];
  });
}
