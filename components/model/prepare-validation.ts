import { niceTicks } from "#components/chart/nice-ticks.ts";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { formatNumber, roundedPercent } from "#components/ui/format.ts";
import { palette } from "#components/ui/palette.ts";
import { counted } from "#lib/contract/counted";
import type { Model } from "#lib/contract/models";

type Validation = NonNullable<Model["validation"]>;

/**
 * Actual and predicted values as two series of the comparison chart: `v0` the actual value, `v1` the prediction, `d1`
 * the error, predicted less actual.
 */
export function prepareValidation({ timestamps, rows, actual, predicted }: Validation): PreparedComparison {
  const xs = timestamps ? timestamps.map((at) => Date.parse(at)) : rows;
  const points = xs
    .map((x, index) => {
      const v0 = actual[index] ?? null;
      const v1 = predicted[index] ?? null;
      return { x, v0, v1, d0: 0, d1: v0 === null || v1 === null ? null : v1 - v0 };
    })
    .sort((a, b) => a.x - b.x);
  return {
    kind: timestamps ? "time" : "row",
    points,
    hasBands: false,
    domain: [points[0]?.x ?? 0, points.at(-1)?.x ?? 1],
    series: [
      { id: "actual", title: "Actual", color: "var(--ink-faint)", dash: "", isBaseline: true },
      {
        id: "predicted",
        title: "Predicted",
        color: palette[0] ?? "var(--accent)",
        dash: "",
        isBaseline: false,
      },
    ],
  };
}

export type ScatterPoint = { actual: number; predicted: number };

/** About so many steps on each axis of the scatter. */
const axisSteps = 5;

/** Pairs that have both sides, and the round numbers on both axes of the square that holds them all. */
export function prepareScatter({ actual, predicted }: Validation): {
  points: ScatterPoint[];
  ticks: number[];
} {
  const points: ScatterPoint[] = [];
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  actual.forEach((value, index) => {
    const guess = predicted[index];
    if (value === null || guess === null || guess === undefined) return;
    points.push({ actual: value, predicted: guess });
    low = Math.min(low, value, guess);
    high = Math.max(high, value, guess);
  });
  return { points, ticks: points.length > 0 ? niceTicks(low, high, axisSteps) : [0, 1] };
}

/** What the chart shows, in words: for those who cannot see it. */
export function describeValidation(validation: Validation): string {
  const { points } = prepareScatter(validation);
  if (points.length === 0) return "No validation rows.";
  const errors = points.map(({ actual, predicted }) => predicted - actual);
  const mean = errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length;
  const high = errors.filter((error) => error > 0).length;
  return `${counted(points.length, "validation row")}. The prediction is off by ${formatNumber(mean)} on average; it is too high in ${roundedPercent((100 * high) / errors.length, 0)} % of the rows.`;
}
